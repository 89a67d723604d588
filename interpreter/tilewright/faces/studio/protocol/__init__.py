"""The messages of the studio as types: parameters and results of each method.

`schemas/studio.schema.json` is made from these types, and the types of the page are made from the
schema.
"""
