"""The verb that tries a format on replies."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat


def run(*args: str, stdin: bytes | str = b""):
    given = stdin.encode() if isinstance(stdin, str) else stdin
    command = [sys.executable, "-m", "counterbalance", "parse", *args]
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def rows(*args: str, stdin: bytes | str = b""):
    code, out, err = run(*args, "--json", stdin=stdin)
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def test_table_and_counts():
    lines = (
        '{"id":"q1","reply":"so [[B]]"}\n\n{"reply":"no \\u001b[31m idea"}\n{"id":7,"reply":null}\n'
    )
    code, out, err = run("bracket", stdin=lines)
    assert code == 0
    assert out.splitlines() == [
        "id  outcome   rule            span  text",
        "q1  second    bracket/1:last  3-8   [[B]]",
        "3   unparsed  bracket/1:none  -",
        "7   empty     reply/1:empty   -",
    ]
    assert err == "3 replies: 1 second, 1 unparsed, 1 empty\n"


def test_json_lines():
    [row] = rows("bracket5", stdin='{"id":"x","reply":"[[B<<A]]"}')
    assert row == {
        "id": "x", "outcome": "first", "rule": "bracket5/1:last", "strength": "much",
        "span": [0, 8], "label": "B<<A", "fallback": "", "repairs": [], "fields": {},
        "label_mass": None, "log_odds_first": None,
    }  # fmt: skip


def test_plain_text_is_one_reply(tmp_path):
    file = tmp_path / "reply.txt"
    file.write_bytes("\ufeffZeile eins\n{kein JSON}\n【【Ｂ】】\n".encode())
    code, out, _ = run("bracket", str(file))
    assert code == 0
    assert "second" in out
    assert "【【Ｂ】】" in out


def test_a_reply_that_is_json_itself_is_plain_text():
    assert rows("json", stdin='{"winner": "B"}')[0]["outcome"] == "second"


def test_control_characters_are_shown_escaped():
    _, out, _ = run(
        "bracket",
        "--refusal-pattern",
        "no.*",
        stdin='{"id":"\\u001b]0;x\\u0007","reply":"no\\u0007"}',
    )
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "no\\x07" in out


def test_every_part_of_a_line_counts():
    lines = [
        {"reply": "", "finish": "length", "reasoning": "hm"},
        {"reply": "[[A]]", "refusal": "No."},
        {"reply": "[[A]] 'x [[B]]'", "answers": ["x [[B]]", "y"]},
        {"reply": "A", "token_logprobs": [["A", -0.5], ["B", -1.5]]},
        {"reply": "a\u2028[[B]]"},
    ]
    text = "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    found = rows("bracket", stdin=text)
    assert [row["outcome"] for row in found] == [
        "truncated",
        "refused",
        "first",
        "unparsed",
        "second",
    ]
    assert found[3]["log_odds_first"] == 1.0


@pytest.mark.parametrize(
    ("args", "reply", "outcome"),
    [
        (["number"], "2", "second"),
        (["choice"], "b", "second"),
        (["choice", "--first", "X", "--second", "Y"], "y", "second"),
        (["bracket", "--tie", "C"], "[[C]]", "tie"),
        (["bracket", "--neither", "N"], "[[N]]", "neither"),
        (["bracket", "--insufficient", "I"], "[[I]]", "insufficient"),
        (["bracket", "--position", "only"], "[[A]] [[B]]", "conflicting"),
        (["bracket", "--lenient"], "[A]", "first"),
        (["json", "--key", "best"], '{"best":"A"}', "first"),
        (["tag", "--tag", "v"], "<v>A</v>", "first"),
        (["tag", "--nonce", "k7"], '<verdict nonce="k7">A</verdict>', "first"),
        (["tag", "--nonce", "k7"], "<verdict>A</verdict>", "unparsed"),
        (["regex", "--pattern", "is (?P<label>[AB])"], "it is B", "second"),
        (["bracket", "--fallback", "choice"], "A", "first"),
        (["bracket", "--refusal-pattern", "^nope"], "Nope.", "refused"),
    ],
)
def test_options(args, reply, outcome):
    assert rows(*args, stdin=json.dumps({"reply": reply}))[0]["outcome"] == outcome


def test_json_options():
    line = json.dumps({"reply": '{"winner":"A","unsafe":"both","x":"', "finish": "length"})
    [row] = rows("json", "--readable-when-cut", "--field", "unsafe", stdin=line)
    assert (row["outcome"], row["fields"]) == ("first", {"unsafe": ["first", "second"]})


def test_logprob_options():
    line = json.dumps({"reply": "", "token_logprobs": [["A", -3.0], ["B", -3.1]]})
    assert rows("logprob", stdin=line)[0]["outcome"] == "first"
    assert rows("logprob", "--mass-floor", "0.5", stdin=line)[0]["rule"] == "logprob/1:mass_floor"
    assert rows("logprob", "--tie-margin", "0.2", stdin=line)[0]["outcome"] == "conflicting"


@pytest.mark.parametrize(
    ("args", "stdin", "said"),
    [
        (["nonsense"], "x", "FORMAT is nonsense; choose one of bracket"),
        (["bracket"], "", "<standard input>: is empty"),
        (["bracket"], b"a\nb\xff\n", "<standard input>:2: is not UTF-8 (byte 4)"),
        (["bracket"], '{"reply":"x"}\n{oops', "<standard input>:2: is not JSON"),
        (["bracket"], '{"id": 1, "reply": "x"', "<standard input>:1: is not JSON"),
        (["bracket"], '{"reply":"x"}\n[1]', ":2: is not a JSON object"),
        (["bracket"], '{"reply":"x"}\n{"text":"y"}', ':2: has no "reply"'),
        (["bracket"], '{"reply":"x"}\n{"reply":3}', ':2: "reply" is 3; it must be a string'),
        (["bracket"], '{"reply":"x","finish":[]}', '"finish" is []'),
        (["bracket"], '{"reply":"\\ud800"}', "lone surrogate"),
        (["bracket"], '{"reply":"x","id":{}}', '"id" is {}'),
        (["bracket"], '{"reply":"x","id":"a","id":"b"}', "has the key 'id' twice"),
        (["bracket"], '{"reply":"x","answers":"y"}', '"answers" must be a list'),
        (["logprob"], '{"reply":"x","token_logprobs":[["A"]]}', '"token_logprobs" must be'),
        (["logprob"], '{"reply":"x","token_logprobs":[["A",1' + "0" * 400 + "]]}", "a list"),
        (["bracket"], '{"reply":"x"}\n{"reply":' + "[" * 100_000, "nests too deeply"),
        (["bracket", "no/such/file"], "", "no/such/file: cannot be read: No such file"),
        (["bracket", "."], "", ".: cannot be read"),
        (["bracket", "--tie", "A"], "x", "stands for two things"),
        (["bracket", "--first", "x y\tz"], "x", "--first: "),
        (["bracket", "--first", "B"], "x", "both slots are called 'B'"),
        (["number", "--first", "one"], "x", "needs digits"),
        (["regex"], "x", "pattern belongs to format 'regex'"),
        (["regex", "--pattern", "("], "x", "--pattern: '(' is no RE2 pattern"),
        (["regex", "--pattern", "A"], "x", "group named label"),
        (["bracket", "--refusal-pattern", "["], "x", "--refusal-pattern: '['"),
        (["bracket", "--fallback", "nope"], "x", "--fallback: "),
        (["bracket", "--nonce", "k"], "x", "--nonce belongs to format 'tag'"),
        (["json", "--key", "a b"], "x", "--key: "),
        (["logprob", "--mass-floor", "2"], "x", "--mass-floor: "),
    ],
)  # fmt: skip
def test_bad_input_is_said_on_one_line(args, stdin, said):
    code, out, err = run(*args, stdin=stdin)
    assert code == 2
    assert out == ""
    assert said in err
    assert err.startswith("counterbalance: ")
    assert err.count("\n") == 1


def test_an_empty_file_of_lines(tmp_path):
    file = tmp_path / "replies.jsonl"
    file.write_text("\n \n", encoding="utf-8")
    assert run("bracket", str(file))[0] == 2
    file.write_text("not json\n", encoding="utf-8")
    assert f"{file}:1: is not JSON" in run("bracket", str(file))[2]


def test_blank_text_is_an_empty_reply():
    assert rows("bracket", stdin="  \n")[0]["outcome"] == "empty"


def test_what_stands_beside_a_verdict_is_shown():
    reply = '{"winner": "A", "scores": {"A": 8, "B": 5.5}, "words": "as it says"}'
    row = rows("json", "--scores", "scores", "--quote", "words", stdin=reply)[0]
    assert (row["outcome"], row["score_difference"], row["quote"]) == ("first", 2.5, "as it says")
    assert "quote" not in rows("json", stdin=reply)[0]


def test_help_is_quick_and_names_every_format_and_option():
    code = (
        "import sys; from counterbalance.cli.main import cli\n"
        "try: cli.main(['parse', '--help'], standalone_mode=False)\n"
        "finally: print(sorted({'pydantic', 're2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
    words = set(done.stdout.replace(",", " ").replace(".", " ").split())
    assert words >= set(FORMAT_IDS)
    named = {"fields": "field", "refusal_patterns": "refusal-pattern"}
    for field in set(VerdictFormat.model_fields) - {"format", "version", "form"}:
        assert f"--{named.get(field, field.replace('_', '-'))} " in done.stdout


PAGE = Path(__file__).parents[2] / "docs/reference/verdict-formats.md"
EXAMPLES = re.findall(
    r"```console\n\$ ([^\n]+)\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL
)


def test_the_page_has_an_example_for_every_format():
    assert {command.split(" parse ")[1].split()[0] for command, _ in EXAMPLES} == set(FORMAT_IDS)


@pytest.mark.parametrize(("command", "wanted"), EXAMPLES)
def test_the_page_shows_real_output(command, wanted):
    run_here = command.replace("| counterbalance", f"| {sys.executable} -m counterbalance")
    done = subprocess.run(["bash", "-c", run_here], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip("\n") == wanted
