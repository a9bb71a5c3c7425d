"""Links by which somebody who was invited chooses a password: each serves once, for three days.

What makes a link serve is signed from the password as it stands: choosing one ends it, as a newer link does.
"""

from __future__ import annotations

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from lastro.web.models import Person


class _Tokens(PasswordResetTokenGenerator):
    """Of another kind than any other token that this secret signs."""

    key_salt = "lastro.web.invitations"


_tokens = _Tokens()


def token(person: Person) -> str:
    """What the link of a person carries."""
    return str(_tokens.make_token(person))


def found(pk: int, said: str) -> Person | None:
    """Whom a link invites, if it still serves."""
    person = Person.objects.filter(pk=pk, is_active=True).first()
    return person if person is not None and _tokens.check_token(person, said) else None


def renew(person: Person) -> None:
    """End the password and every link so far; the person comes in again by a new link only."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
