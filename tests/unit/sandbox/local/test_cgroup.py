"""Which part of the tree of control groups is ours, as /proc tells it."""

from pathlib import Path

import pytest

from openplaybook.sandbox.local.cgroup import OWN_LEAF, find_tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return group(tmp_path / "cgroup")


def group(folder: Path, controllers: str = "cpu memory pids\n") -> Path:
    folder.mkdir(parents=True)
    (folder / "cgroup.procs").write_text("")
    (folder / "cgroup.controllers").write_text(controllers)
    return folder


def mounted(root: Path, shown: str = "/") -> str:
    lines = [
        "22 1 0:5 / /dev rw - devtmpfs udev rw",
        f"30 22 0:26 {shown} {root} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate",
    ]
    return "\n".join(lines)


def test_what_a_container_sees_as_the_root_is_its_own(root: Path) -> None:
    tree = find_tree(mounted(root), "0::/\n")
    assert tree.folder == root
    assert tree.layer.ok
    assert tree.layer.detail == f"memory and processes of each warm interpreter are limited in {root}"


def test_after_the_server_moved_into_its_leaf_the_same_tree_is_found(root: Path) -> None:
    group(root / OWN_LEAF)
    assert find_tree(mounted(root), f"0::/{OWN_LEAF}\n").folder == root


def test_a_folder_is_ours_only_if_it_was_delegated(root: Path) -> None:
    folder = group(root / "system.slice/openplaybook.service")
    tree = find_tree(mounted(root), "0::/system.slice/openplaybook.service\n")
    assert (tree.folder, tree.reason) == (None, f"{folder} is not delegated to this server")
    assert not tree.layer.ok
    assert not tree.layer.required
    assert "`Delegate=memory pids`" in tree.layer.remedy


def test_a_mount_of_a_part_of_the_tree_is_read_from_there(root: Path) -> None:
    group(root / "inner")
    tree = find_tree(mounted(root, shown="/pod"), "0::/pod/inner\n")
    assert tree.reason == f"{root / 'inner'} is not delegated to this server"
    assert find_tree(mounted(root, shown="/other"), "0::/pod/inner\n").reason == "cgroup v2 is not mounted"


def test_without_the_controllers_there_is_nothing_to_gain(root: Path) -> None:
    (root / "cgroup.controllers").write_text("hugetlb\n")
    tree = find_tree(mounted(root), "0::/\n")
    assert (tree.folder, tree.reason) == (None, f"{root} has no controller for memory and pids")


@pytest.mark.parametrize(("mounts", "own"), [("", "0::/\n"), ("", ""), ("x", "4:memory:/a\n")])
def test_an_old_tree_or_none_is_said(mounts: str, own: str) -> None:
    assert find_tree(mounts, own).reason == "cgroup v2 is not mounted"
