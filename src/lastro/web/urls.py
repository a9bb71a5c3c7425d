"""Every address of the application, in Portuguese, gathered from the desks."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from lastro.web.api import api
from lastro.web.desks import (
    account,
    administration,
    agency,
    cases,
    certificates,
    company,
    contests,
    deadlines,
    delegations,
    entity,
    keys,
    notices,
    members,
    norms,
    open_pages,
    operators,
    own_points,
    papers,
    operator,
    parcels,
    people,
    points,
    public,
    publications,
    recycler,
    reports,
    requests,
    results,
    trail,
    uploads,
    using,
    verifier,
    verifying,
)

urlpatterns: list[URLPattern | URLResolver] = [
    *account.urls,
    *public.urls,
    *norms.urls,
    *open_pages.urls,
    *points.urls,
    *publications.urls,
    *results.urls,
    *entity.urls,
    *uploads.urls,
    *certificates.urls,
    *reports.urls,
    *requests.urls,
    *agency.urls,
    *cases.urls,
    *contests.urls,
    *verifying.urls,
    *verifier.urls,
    *recycler.urls,
    *operator.urls,
    *parcels.urls,
    *company.urls,
    *using.urls,
    *deadlines.urls,
    *delegations.urls,
    *people.urls,
    *administration.urls,
    *trail.urls,
    *keys.urls,
    *notices.urls,
    *members.urls,
    *operators.urls,
    *own_points.urls,
    *papers.urls,
    path("api/v1/", api.urls),
]

handler404 = "lastro.web.errors.not_found"
handler403 = "lastro.web.errors.forbidden"
handler500 = "lastro.web.errors.broken"
