"""Writing: files and drafts of the opened folders, their checks, and links to share."""
