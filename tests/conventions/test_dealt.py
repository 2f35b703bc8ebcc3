"""How tests are dealt to the processes of a run (tests.dealt): its names are of files that are there, and those that
wait leave a core to what computes."""

from __future__ import annotations

import pytest

from tests.conventions.test_code import ROOT
from tests.dealt import COMPUTING, LAST, WAITING, choose, unit_of, waits

WAIT, COMPUTE = "tests/config/test_local_run.py", "tests/people/test_access.py"


@pytest.mark.parametrize("prefix", [*WAITING, *COMPUTING, LAST])
def test_a_name_is_of_files_that_are_there(prefix: str) -> None:
    files = (path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))
    assert any(unit_of(file).startswith(prefix) for file in files)


@pytest.mark.parametrize(
    ("left", "others_wait", "chosen"),
    [
        ([COMPUTE, WAIT], 0, WAIT),
        ([COMPUTE, WAIT], 1, WAIT),
        ([WAIT, COMPUTE], 2, COMPUTE),
        ([WAIT], 3, WAIT),
        ([COMPUTE], 0, COMPUTE),
    ],
)
def test_half_of_four_processes_wait_as_long_as_others_have_something_to_compute(
    left: list[str], others_wait: int, chosen: str
) -> None:
    assert [waits(WAIT), waits(COMPUTE)] == [True, False]
    assert choose(left, others_wait, processes=4) == chosen
