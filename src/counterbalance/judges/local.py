"""The embedded judge: a small language model run in this process, the same to the bit every time.

One slot and no prompt cache make a reply depend on its own request only; other settings of the
engine are faster and shift the log-probabilities. This is the only file that imports the engine.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, MissingExtraError, one_line
from counterbalance.judges.chat_markup import LONGEST_TOKEN_BYTES, VOCABULARY, marked_up
from counterbalance.judges.label_tokens import (
    has_every_label,
    label_grammar,
    label_logprobs,
    tokens_enough,
)
from counterbalance.judges.streamed import Streamed
from counterbalance.judges.weights import weights_digest, weights_path
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.protocol.verdict_format import ONE_LABEL

if TYPE_CHECKING:
    from counterbalance.judges.judge import Request
    from counterbalance.protocol.judge_settings import LocalJudge

__all__ = ["INSTALL_ENGINE", "LocalModelJudge", "engine_version", "usable_cores"]

INSTALL_ENGINE = "python -m pip install 'counterbalance[local]'"
"""The command that installs the engine."""

_ALTERNATIVES = 1000
# A running call can be ended between two batches only; smaller ones cost time.
_BATCH_TOKENS = 128
_LONGEST_SOCKET_PATH = 100
# All that the engine's binding may raise for a request or a model it does not like.
_ENGINE_ERRORS = (
    RuntimeError, ValueError, MemoryError, ArithmeticError, LookupError, OSError, ImportError,
)  # fmt: skip

_BAD_JUDGE = (
    "The embedded model (SmolLM2-135M-Instruct) is too small to judge answers: its figures show "
    "how the instrument works and describe no other judge."
)
_CACHED = (
    "The prompt cache was on, so log-probabilities depend on earlier calls (up to 0.09 nats were "
    "measured) and a rerun need not agree to the bit."
)


def engine_version() -> str:
    """Return the version of the engine, empty when it is not installed."""
    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        return ""


def usable_cores() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalModelJudge:
    """SmolLM2-135M-Instruct behind the seam of all judges; one call at a time.

    Parameters
    ----------
    settings : LocalJudge
        Temperature, limits and whether replies are held to the labels.
    threads : int | None
        Threads of the engine; None takes all usable cores. The replies do not depend on it.

    Raises
    ------
    MissingExtraError
        If the engine or the weights are not installed.
    """

    def __init__(self, settings: LocalJudge, *, threads: int | None = None) -> None:
        if find_spec("xllamacpp") is None:
            part = "the engine of the embedded judge (xllamacpp)"
            raise MissingExtraError(part, INSTALL_ENGINE)
        self._settings = settings
        self._threads = threads or usable_cores()
        self._weights = weights_path()
        self._server: Any = None
        self._fingerprint = ""
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-judge")
        self._running: set[threading.Event] = set()
        self._is_closed = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        said = ((_BAD_JUDGE, True), (_CACHED, self._settings.prompt_cache))
        return tuple(note for note, applies in said if applies)

    async def ask(self, request: Request) -> Reply:
        """Return the model's reply to one request.

        Parameters
        ----------
        request : Request
            What is asked.

        Returns
        -------
        Reply
            Text, log-probabilities of the labels before any grammar, and measured usage.

        Raises
        ------
        JudgeError
            With kind ``too_long`` when request and reply would not fit, ``bad_request`` or
            ``server`` when the engine fails, ``cancelled`` when the judge is closed.
        """
        if self._is_closed:
            raise JudgeError(kind="cancelled", problem="the embedded judge is closed")
        stop = threading.Event()
        self._running.add(stop)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._worker, self._reply, request, stop)
        finally:
            # A cancelled call runs on in the engine's thread to the end of its batch.
            stop.set()
            self._running.discard(stop)

    async def close(self) -> None:
        """End what runs and give the model's memory back; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for stop in self._running:
            stop.set()
        await asyncio.wrap_future(self._worker.submit(self._unload))
        self._worker.shutdown(wait=False)

    # ------------------------------------------------- in the worker's thread from here on

    def _reply(self, request: Request, stop: threading.Event) -> Reply:
        self._refuse_hopeless(request)
        prompt = marked_up(request.messages)
        sent = self._parameters(request)
        heard = self._heard(prompt, sent, stop)
        logprobs = label_logprobs(heard.alternatives, request.labels)
        if "n_probs" in sent and not has_every_label(logprobs, request.labels):
            # Listing every token costs as much as 40 tokens of prompt, so only where it must be.
            sent = {**sent, "n_probs": VOCABULARY}
            heard = self._heard(prompt, sent, stop)
            logprobs = label_logprobs(heard.alternatives, request.labels)
        return Reply(
            text=heard.text,
            finish=heard.finish,
            token_logprobs=logprobs,
            usage=Usage(heard.prompt_tokens, heard.completion_tokens, is_measured=True),
            model=self._weights.stem,
            fingerprint=self._fingerprint,
            sent=sent,
        )

    def _refuse_hopeless(self, request: Request) -> None:
        """Spare the engine the tokenising of what cannot fit, whatever its tokens are."""
        n_bytes = sum(len(m.content.encode("utf-8", "replace")) for m in request.messages)
        least = n_bytes // LONGEST_TOKEN_BYTES
        if least > self._settings.context_tokens:
            problem = (
                f"the request has {n_bytes} bytes, at least {least} tokens; "
                f"context_tokens is {self._settings.context_tokens}"
            )
            raise JudgeError(kind="too_long", problem=problem)

    def _parameters(self, request: Request) -> dict[str, Any]:
        settings = self._settings
        is_overridden = request.temperature is not None
        limit = request.max_tokens or settings.max_tokens
        wants_words = request.verdict is not None and request.verdict.format not in ONE_LABEL
        is_held = settings.constrained and not wants_words
        if is_held:
            limit = tokens_enough(request.labels)
        parameters: dict[str, Any] = {
            "temperature": request.temperature if is_overridden else settings.temperature,
            "seed": request.seed,
            "max_tokens": limit,
            "cache_prompt": settings.prompt_cache,
            # The model's own distribution: nothing cut off, nothing penalised.
            "top_k": 0,
            "top_p": 1.0,
            "min_p": 0.0,
            "typical_p": 1.0,
            "repeat_penalty": 1.0,
        }
        if is_held:
            parameters["grammar"] = label_grammar(request.labels)
        if is_held or limit == 1:
            parameters["n_probs"] = _ALTERNATIVES
        return parameters

    def _heard(
        self, prompt: list[int | str], sent: dict[str, Any], stop: threading.Event
    ) -> Streamed:
        longest = self._settings.context_tokens - sent["max_tokens"]
        heard = Streamed(longest, stop.is_set)
        if stop.is_set():
            raise JudgeError(kind="cancelled", problem="the call was ended before it began")
        server = self._loaded()
        streaming = {
            "stream": True,
            "return_progress": True,
            "stream_options": {"include_usage": True},
        }
        try:
            server.handle_completions({**sent, **streaming, "prompt": prompt}, heard.take)
        except _ENGINE_ERRORS as error:
            raise _engine_error(error, kind="bad_request") from error
        if heard.problem is not None:
            raise heard.problem
        return heard

    def _loaded(self) -> Any:  # noqa: ANN401 (the engine has no types)
        if self._server is None:
            try:
                self._server = _server(self._weights, self._settings, self._threads)
            except _ENGINE_ERRORS as error:
                raise _engine_error(error, kind="server") from error
            digest = weights_digest(self._weights)
            self._fingerprint = f"sha256:{digest[:16]} xllamacpp/{engine_version()}"
        return self._server

    def _unload(self) -> None:
        self._server = None


def _engine_error(error: Exception, *, kind: str) -> JudgeError:
    return JudgeError(kind, one_line(f"the engine: {type(error).__name__}: {error}", 300))


def _server(weights: Path, settings: LocalJudge, threads: int) -> Any:  # noqa: ANN401
    """Load the model; nothing of the engine may be reached from outside this process."""
    import xllamacpp  # noqa: PLC0415 (an extra, imported here and nowhere else)

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.verbosity = -1
    params.n_ctx = settings.context_tokens
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.fit_params = False
    params.ctx_shift = False
    params.warmup = False
    params.cache_prompt = settings.prompt_cache
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_threads_http = 1
    params.ui = False
    params.endpoint_slots = False
    # The engine insists on a listener: a socket file that is gone once it listens, or else a
    # port of the loopback interface; both behind a key that nobody knows.
    params.api_keys = [secrets.token_hex(32)]
    with TemporaryDirectory(prefix="counterbalance-") as folder:
        socket = str(Path(folder) / "engine.sock")
        if os.name == "posix" and len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH:
            params.hostnames = [socket]
        return xllamacpp.Server(params)
