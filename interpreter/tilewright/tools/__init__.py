"""Questions about rules and matches: one package for each, with plain results.

In: rulesets, games, matches and files. Out: the data of `view/results`, texts of files, or pages
made of them. Nothing here prints; it must not import `faces`.

- about rules: `checking`, `comparison`, `changes`, `interactions`, `traceability`, `formatting`
- with matches: `scenarios`, `simulation`, `mutation`, `witness`, `explanation`, `persistence`
- for authors: `authoring`, `editor`, `reports`
- for the others: `workspace`, which finds, reads, links and compiles what is asked for

Begin with the first lines of the package whose question you have.
"""
