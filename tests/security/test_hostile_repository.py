"""A stranger's git repository: no verb runs what its configuration, attributes or hooks name."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tilewright.faces.cli.app import run
from tilewright.tools.changes.since import RevisionError, commit_at, extract

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

MODULE = "id: house/trial\nkind: house\ntitle: A trial\nrequires: {base: c2/base}\n"
RULES = "values:\n  trial.more: {type: number, is: 3}\n"
HOOKS = (
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout",
    "post-commit", "post-index-change", "post-merge", "post-rewrite", "post-update",
    "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase",
    "pre-receive", "prepare-commit-msg", "push-to-checkout", "reference-transaction",
    "sendemail-validate", "update",
)  # fmt: skip
ATTRIBUTES = "* diff=evil filter=evil merge=evil ident working-tree-encoding=UTF-16\n"


class Repository:
    """A repository with one ruleset, all of whose settings write a file of their own when run."""

    def __init__(self, tmp_path: Path) -> None:
        self.marks = tmp_path / "marks"
        self.marks.mkdir()
        self.folder = tmp_path / "repository"
        self.ruleset = self.folder / "trial"
        (self.ruleset / "rules").mkdir(parents=True)
        (self.ruleset / "module.yaml").write_text(MODULE, encoding="utf-8")
        (self.ruleset / "rules" / "more.yaml").write_text(RULES, encoding="utf-8")
        self.git("init", "-q")
        self.commit("one")
        (self.ruleset / "rules" / "more.yaml").write_text(RULES.replace("3", "4"), encoding="utf-8")

    def git(self, *words: str, check: bool = True) -> str:
        return subprocess.run(
            ["git", "-C", str(self.folder), *words], check=check, capture_output=True, text=True
        ).stdout.strip()

    def commit(self, message: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        self.git("add", "-A")
        self.git(*who, "commit", "-qm", message)

    def mark(self, name: str) -> str:
        """A command that leaves a file with this name."""
        script = self.marks.parent / f"run-{name}"
        script.write_text(f'#!/bin/sh\n: > "{self.marks / name}"\nexit 1\n', encoding="utf-8")
        script.chmod(0o755)
        return str(script)

    def marked(self) -> set[str]:
        return {path.name for path in self.marks.iterdir()}

    def make_hostile(self) -> None:
        hooks = self.folder / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        for hook in HOOKS:
            shutil.copy(self.mark(f"hook-{hook}"), hooks / hook)
        commands = (
            "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass",
            "core.gitProxy", "core.alternateRefsCommand", "diff.external", "diff.evil.command",
            "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
            "filter.evil.process", "merge.evil.driver", "credential.helper", "gpg.program",
            "interactive.diffFilter", "sequence.editor", "uploadpack.packObjectsHook",
            "pager.rev-parse", "pager.ls-tree", "pager.cat-file", "submodule.trial.update",
        )  # fmt: skip
        for name in commands:
            is_shell = name == "submodule.trial.update"
            self.git("config", name, "!" * is_shell + self.mark(name))
        for verb in ("rev-parse", "ls-tree", "cat-file", "diff", "show"):
            self.git("config", f"alias.{verb}", "!" + self.mark(f"alias-{verb}"))
        self.git("config", "filter.evil.required", "true")
        self.git("config", "log.showSignature", "true")
        (self.folder / ".gitattributes").write_text(ATTRIBUTES, encoding="utf-8")
        url = f"ext::{self.mark('submodule')}"
        modules = f'[submodule "trial"]\n\tpath = other\n\turl = {url}\n'
        (self.folder / ".gitmodules").write_text(modules, encoding="utf-8")
        self.git("config", "protocol.ext.allow", "always")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    return Repository(tmp_path)


def test_nothing_runs_that_a_repository_names(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.make_hostile()
    assert run(["diff", str(repository.ruleset), "--against", "HEAD"]) == 0
    assert "trial.more" in capsys.readouterr().out
    run(["check", str(repository.ruleset)])
    assert repository.marked() == set()
    repository.git("diff", check=False)
    (repository.folder / ".gitattributes").unlink()
    repository.git("diff", check=False)
    run_by_git = {"core.fsmonitor", "filter.evil.process", "diff.external"}
    assert run_by_git <= repository.marked(), "other commands of git run them"


def lost(repository: Repository, path: str) -> Path:
    """Remove the stored content of a file at the last commit."""
    name = repository.git("rev-parse", f"HEAD:{path}")
    stored = repository.folder / ".git" / "objects" / name[:2] / name[2:]
    stored.chmod(0o644)
    stored.unlink()
    return stored


@pytest.mark.parametrize("url", ["ext::{0}", "ssh://a@localhost/x", "/nowhere", "evil::x"])
def test_content_that_is_missing_is_fetched_from_nowhere(
    repository: Repository, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.make_hostile()
    lost(repository, "trial/rules/more.yaml")
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", url.format(repository.mark("remote"))),
        ("remote.origin.uploadpack", repository.mark("uploadpack")),
    ):
        repository.git("config", name, value)
    assert run(["diff", str(repository.ruleset), "--against", "HEAD"]) == 3
    error = capsys.readouterr().err
    assert "trial/rules/more.yaml" in error and "internal error" not in error
    assert repository.marked() == set()


def test_no_protocol_is_allowed_where_git_would_fetch(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older versions of git ignore `GIT_NO_LAZY_FETCH`."""
    real = subprocess.run

    def as_before(words: list[str], *, env: dict[str, str], **more: Any) -> object:
        return real(words, env={k: v for k, v in env.items() if k != "GIT_NO_LAZY_FETCH"}, **more)

    commit = commit_at(repository.folder, "HEAD")
    lost(repository, "trial/rules/more.yaml")
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", f"ext::{repository.mark('remote')}"),
        ("protocol.ext.allow", "always"),
    ):
        repository.git("config", name, value)
    monkeypatch.setattr(subprocess, "run", as_before)
    with pytest.raises(RevisionError, match=r"refuses|lacks the content"):
        extract(repository.folder, commit, [repository.ruleset], repository.marks.parent / "then")
    assert repository.marked() == set()
