"""The examples of judges that users write themselves run as they stand on the page."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import counterbalance
from studies import run, write_study

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "judges.md"
PROGRAM, FUNCTION = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
(TABLE,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def study_of(folder, table):
    path = write_study(folder)
    text = path.read_text("utf-8")
    replaced = re.sub(r"\[\[judges\]\]\n(?:[a-z].*\n)*", table + "\n", text)
    assert replaced != text
    path.write_text(replaced, "utf-8")
    return path


def test_the_program_judges(tmp_path):
    protocol = study_of(tmp_path, TABLE.replace("python3", sys.executable))
    (tmp_path / "judge.py").write_text(PROGRAM, "utf-8")
    assert run(protocol).outstanding == 0
    (group,) = counterbalance.read_report(tmp_path / "protocol.record.sqlite").groups
    assert group.dispositions["stable_b"] == 6


def test_the_function_judges(tmp_path, monkeypatch, capsys):
    table = '[[judges]]\nname = "longer"\nkind = "callable"\nversion = "1"\n'
    study_of(tmp_path / "study", table)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "start.py").write_text(FUNCTION, "utf-8")
    runpy.run_path(str(tmp_path / "start.py"))
    assert "stable_b" in capsys.readouterr().out
    (group,) = counterbalance.read_report(tmp_path / "study/protocol.record.sqlite").groups
    assert group.dispositions["stable_b"] == 6
