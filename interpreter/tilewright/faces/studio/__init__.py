"""The studio: a page in a browser, and the messages between it and this program.

`service.answer` takes a message and returns one. The two doors carry messages: `server` a local web
server, `worker` a worker inside a browser. Neither the messages nor the page know a ruleset.
"""
