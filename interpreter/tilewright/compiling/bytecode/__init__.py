"""Compiles the syntax trees of compiled rules to register bytecode for the native core.

`image.image_of` is the entry. No rule is lowered a second time: the input is the Python that
`compiling` has made, and every form of it is either translated or refused with `NotCarried`.
"""
