"""The doors that carry messages, a local server and a worker in a browser; the store on a disk."""
