"""Writes the intermediate form of rules as register bytecode for the native core.

`image.image_of` is the entry. No rule is lowered a second time: the input is the form from which
`python/` writes too, and every node of it is either carried or refused with `NotCarried`.
"""
