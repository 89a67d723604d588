"""Do scenarios hold? `runner` lays a situation out, plays it and looks at what must be true.

It must not import `witness` or `mutation`.
"""
