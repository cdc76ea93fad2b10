"""`python -m tests.fuzz`: feed every reader hostile bytes for a while; stop at the first that breaks.

What broke something is written to the corpus as `found-*`, where each run of the tests reads it again.
"""

import argparse
import random
import secrets
import sys
import time
import traceback
from hashlib import sha256

from tests.fuzz.mutate import hostile
from tests.fuzz.targets import CORPUS, TARGETS, Target

BATCH_S = 1.0
"""How long one target is fed before the next one has its turn."""


def main(arguments: list[str]) -> int:
    """Run; return the exit code: 1 if something broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long in all")
    parser.add_argument("--seed", type=int, default=None, help="repeat a run")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="only these; otherwise all")
    given = parser.parse_args(arguments)
    chosen = [target for target in TARGETS if not given.targets or target.name in given.targets]
    if len(chosen) < len(given.targets):
        parser.error(f"targets: {', '.join(target.name for target in TARGETS)}")
    seed = secrets.randbits(32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    chance, end = random.Random(seed), time.monotonic() + given.seconds
    read = dict.fromkeys((target.name for target in chosen), 0)
    accepted = dict(read)
    while time.monotonic() < end:
        for target in chosen:
            stop = min(end, time.monotonic() + BATCH_S)
            while time.monotonic() < stop:
                data = hostile(chance, target.samples, target.shape)
                try:
                    accepted[target.name] += target.takes(data)
                except Exception:
                    return _broken(target, data)
                read[target.name] += 1
    for name, count in read.items():
        print(f"{name:20} {count:9} inputs, {accepted[name]:8} accepted")
    return 0


def _broken(target: Target, data: bytes) -> int:
    """Keep the input and say what it did."""
    file = CORPUS / (target.corpus or target.name) / f"found-{sha256(data).hexdigest()[:12]}"
    file.write_bytes(data)
    traceback.print_exc()
    print(f"{target.name}: {len(data)} bytes, kept as {file.relative_to(CORPUS.parents[2])}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
