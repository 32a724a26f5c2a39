"""Operators that look at the spans and versions of artifacts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.input_resolution.ops.ops_utils import (
    SPAN_AND_VERSION_PROPERTIES,
    SPAN_PROPERTY,
    VERSION_PROPERTY,
    ArtifactMap,
    Artifacts,
    filter_artifacts_by_span,
    get_valid_artifacts,
    version_order,
)
from trainwright.dsl.input_resolution.exceptions import InvalidArgument, SkipSignal
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP,
    ARTIFACT_MULTIMAP_LIST,
    Property,
    ResolverOp,
)


class AllSpans(
    ResolverOp,
    canonical_name="tfx.AllSpans",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts of all spans, sorted: the newest version of each, or all versions."""

    keep_all_versions = Property(type=bool, default=False)

    def apply(self, input_list: Artifacts) -> Artifacts:
        return filter_artifacts_by_span(
            get_valid_artifacts(input_list, SPAN_AND_VERSION_PROPERTIES),
            span_descending=False,
            n=0,
            keep_all_versions=self.keep_all_versions,
        )


class ConsecutiveSpans(
    ResolverOp,
    canonical_name="tfx.ConsecutiveSpans",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts from `first_span` on until a span is missing.

    A `first_span` below 0 is the oldest span that there is. The last `skip_last_n` numbers before
    the newest span are left out, and spans of the `denylist` count as missing; at the beginning
    they are passed over.
    """

    keep_all_versions = Property(type=bool, default=False)
    first_span = Property(type=int, default=-1)
    skip_last_n = Property(type=int, default=0)
    denylist = Property(type=Sequence[int], default=[])

    def apply(self, input_list: Artifacts) -> Artifacts:
        if self.skip_last_n < 0:
            raise ValueError(f"skip_last_n must be >= 0, but was set to {self.skip_last_n}.")
        artifacts = get_valid_artifacts(input_list, SPAN_AND_VERSION_PROPERTIES)
        if not artifacts:
            return []
        spans = {artifact.span for artifact in artifacts}
        denied = set(self.denylist)
        first = self.first_span if self.first_span >= 0 else min(spans)
        first = next(span for span in itertools.count(first) if span not in denied)
        last = max(spans) - self.skip_last_n
        wanted = set(
            itertools.takewhile(
                lambda span: span in spans and span not in denied, range(first, last + 1)
            )
        )
        return filter_artifacts_by_span(
            [artifact for artifact in artifacts if artifact.span in wanted],
            span_descending=False,
            n=0,
            keep_all_versions=self.keep_all_versions,
        )


class ExcludeSpans(
    ResolverOp,
    canonical_name="tfx.ExcludeSpans",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts whose span is not in the `denylist`."""

    denylist = Property(type=Sequence[int], default=[])

    def apply(self, input_list: Artifacts) -> Artifacts:
        artifacts = get_valid_artifacts(input_list, SPAN_PROPERTY)
        return [artifact for artifact in artifacts if artifact.span not in self.denylist]


class LatestSpan(
    ResolverOp,
    canonical_name="tfx.LatestSpan",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts of the `n` newest spans; of all of them if `n` is not positive.

    Spans before `min_span` and the `skip_last_n` newest ones are left out. `version_sort_keys`
    are attributes that tell which artifact of a span is the newest.
    """

    n = Property(type=int, default=1)
    keep_all_versions = Property(type=bool, default=False)
    min_span = Property(type=int, default=0)
    skip_last_n = Property(type=int, default=0)
    version_sort_keys = Property(type=Sequence[str], default=())

    def apply(self, input_list: Artifacts) -> Artifacts:
        for name in ("skip_last_n", "min_span"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be >= 0, but was set to {getattr(self, name)}.")
        if "" in self.version_sort_keys:
            raise ValueError(
                "Empty string is not allowed in version_sort_keys, but got "
                f"{self.version_sort_keys}."
            )
        return filter_artifacts_by_span(
            get_valid_artifacts(input_list, SPAN_AND_VERSION_PROPERTIES),
            span_descending=True,
            n=self.n,
            min_span=self.min_span,
            skip_last_n=self.skip_last_n,
            keep_all_versions=self.keep_all_versions,
            version_sort_keys=self.version_sort_keys,
        )


class LatestVersion(
    ResolverOp,
    canonical_name="tfx.LatestVersion",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The `n` artifacts with the newest versions, the newest at the end.

    Where all of them have a span, a newer span comes before a newer version.
    """

    n = Property(type=int, default=1)

    def apply(self, input_list: Artifacts) -> Artifacts:
        if not input_list:
            return []
        if self.n <= 0:
            raise ValueError(f"n must be > 0, but was set to {self.n}.")
        artifacts = get_valid_artifacts(input_list, VERSION_PROPERTY)
        if len(get_valid_artifacts(artifacts, SPAN_PROPERTY)) == len(artifacts):
            artifacts.sort(key=lambda artifact: (artifact.span, *version_order(artifact)))
        else:
            artifacts.sort(key=lambda artifact: (artifact.version, artifact.id))
        return artifacts[-self.n :]


class StaticSpanRange(
    ResolverOp,
    canonical_name="tfx.StaticSpanRange",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts with a span from `start_span` to `end_span`; below 0 there is no such bound."""

    start_span = Property(type=int, default=-1)
    end_span = Property(type=int, default=-1)
    keep_all_versions = Property(type=bool, default=False)

    def apply(self, input_list: Artifacts) -> Artifacts:
        artifacts = [
            artifact
            for artifact in get_valid_artifacts(input_list, SPAN_AND_VERSION_PROPERTIES)
            if self.end_span < 0 or artifact.span <= self.end_span
        ]
        return filter_artifacts_by_span(
            artifacts,
            span_descending=False,
            n=0,
            min_span=self.start_span if self.start_span >= 0 else None,
            keep_all_versions=self.keep_all_versions,
        )


class SkipIfLessThanNSpans(
    ResolverOp,
    canonical_name="tfx.internal.SkipIfLessThanNSpans",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_LIST,
):
    """The artifacts themselves; the node is skipped if they have fewer than `n` spans."""

    n = Property(type=int, default=0)

    def apply(self, input_list: Sequence[Any]) -> Artifacts:
        count = len({artifact.span for artifact in input_list})
        if count < self.n:
            raise SkipSignal(f"There are {count} spans, and {self.n} are needed.")
        return input_list


class PairedSpans(
    ResolverOp,
    canonical_name="tfx.PairedSpans",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """A dict for each span that all keys have, with the artifact of each key.

    With `match_version` they must have the same version, too. Only the newest version of a span
    counts, unless `keep_all_versions`.
    """

    match_version = Property(type=bool, default=True)
    keep_all_versions = Property(type=bool, default=False)

    def apply(self, input_dict: ArtifactMap) -> Sequence[ArtifactMap]:
        if self.keep_all_versions and not self.match_version:
            raise InvalidArgument("keep_all_versions = True requires match_version = True.")
        if len(input_dict) < 2:
            return []
        indexed = {key: self._by_span(artifacts) for key, artifacts in input_dict.items()}
        common = set.intersection(*(set(by_span) for by_span in indexed.values()))
        return [
            {key: [by_span[place]] for key, by_span in indexed.items()} for place in sorted(common)
        ]

    def _by_span(self, artifacts: Artifacts) -> Mapping[tuple[int, ...], Any]:
        chosen = filter_artifacts_by_span(
            get_valid_artifacts(artifacts, SPAN_AND_VERSION_PROPERTIES),
            span_descending=False,
            n=0,
            keep_all_versions=self.keep_all_versions,
        )
        if self.match_version:
            return {(artifact.span, artifact.version): artifact for artifact in chosen}
        return {(artifact.span,): artifact for artifact in chosen}
