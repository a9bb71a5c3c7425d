"""A rule is a plain function that says which provisions it obeys."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from lastro.lawkit.glossary import label as label_of
from lastro.lawkit.parameters import Law
from lastro.lawkit.trace import Step, listener, listening

P = ParamSpec("P")
R = TypeVar("R")


class Rule(Generic[P, R]):
    """A formula bound to its provisions; called like the formula, and explained while someone listens."""

    def __init__(
        self,
        formula: Callable[Concatenate[Law, P], R],
        *,
        provisions: tuple[str, ...],
        label: str,
        reading: str,
    ) -> None:
        assert provisions, "a rule names at least one provision"
        self.formula = formula
        self.provisions = provisions
        self.label = label
        self.reading = reading
        self.__name__ = formula.__name__
        self.__doc__ = formula.__doc__

    @property
    def inputs(self) -> dict[str, Any]:
        """The names of what the rule is given, with their types, in order (the law itself apart)."""
        signature = inspect.signature(self.formula, eval_str=True)
        return {p.name: p.annotation for p in list(signature.parameters.values())[1:]}

    @property
    def returns(self) -> Any:
        """The type of the rule's answer."""
        return inspect.signature(self.formula, eval_str=True).return_annotation

    def __call__(self, law: Law, /, *args: P.args, **given: P.kwargs) -> R:
        assert not args, "a rule is given its inputs by name"
        heard = listener()
        if heard is None or heard.quiet:
            return self.formula(law, *args, **given)
        with listening(self.label, article=law.norm.cite(self.provisions)) as step:
            step.reading = self.reading
            step.children += [Step(label_of(n), v, kind="input") for n, v in given.items()]
            result = self.formula(law, *args, **given)
            step.value = result
        return result


def rule(
    *, provisions: tuple[str, ...], label: str, reading: str = ""
) -> Callable[[Callable[Concatenate[Law, P], R]], Rule[P, R]]:
    """Bind a function to the provisions it obeys; `reading` names the note where the text leaves room."""

    def bind(formula: Callable[Concatenate[Law, P], R]) -> Rule[P, R]:
        return Rule(formula, provisions=provisions, label=label, reading=reading)

    return bind


def explain(formula: Rule[P, R], law: Law, /, *args: P.args, **given: P.kwargs) -> Step:
    """Run a rule and keep its trace. Raises what the rule raises (NotInForce, TextMissing)."""
    with listening() as root:
        formula(law, *args, **given)
    return root.children[0]
