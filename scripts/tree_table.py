"""Writes trees of lightgbm as the tables that crates/text/src/trees.rs reads."""


def nodes(root):
    """The nodes of a tree, each before its children."""
    order, waiting = [], [root]
    while waiting:
        node = waiting.pop(0)
        order.append(node)
        if "split_feature" in node:
            waiting += [node["left_child"], node["right_child"]]
    place = {id(node): at for at, node in enumerate(order)}
    for node in order:
        if "split_feature" in node:
            left, right = place[id(node["left_child"])], place[id(node["right_child"])]
            yield f"split {node['split_feature']} {node['threshold']:.6g} {left} {right}"
        else:
            yield f"leaf {node['leaf_value']:.5g}"
