"""A panel about a study, opened from its page: raters are named, the work is shared out, and the panel is closed."""

import re
from html import unescape
from typing import Any

from mensura.running.panel import progress_of
from mensura.running.study import make_study, register
from mensura.store import Store
from tests.web.lab.studies.test_people import PLAN, links_of, take

WANTED = {"name": "clarity", "raters": "Rob\nUma", "items": "clear: It is clear.", "points": "5", "overlap": "1"}


def test_a_panel_is_opened_rated_and_closed_from_the_pages(erin: Any, lab: Any, store: Store) -> None:
    register(make_study(PLAN), store=store)
    refused = erin.submit("/lab/studies/crowd/panels", WANTED)
    assert "No person of crowd has finished yet" in unescape(refused.text)
    for link in links_of(erin.submit("/lab/studies/crowd/invitations", {"count": "2"})):
        take(lab, link)
    for wrong, words in (({"items": "It is clear."}, "a colon and a sentence"), ({"raters": " "}, "needs raters")):
        answer = unescape(erin.submit("/lab/studies/crowd/panels", WANTED | wrong).text)
        assert words in answer, re.findall(r'class="fault".*', answer)
    assert erin.submit("/lab/studies/crowd/panels", WANTED).status_code == 303
    page = unescape(erin.get("/lab/studies/crowd/panels").text)
    assert "2 artefacts" in page
    assert "Uma" in page
    early = erin.submit("/lab/panels/close", {"panel": "clarity"})
    assert "Nobody has rated anything" in unescape(early.text)
    assert erin.get("/lab/panels/clarity/export").status_code == 400
    links = erin.submit("/lab/panels/links", {"panel": "clarity"})
    for link in links_of(links):
        take(lab, link)
    assert [one.rated for one in progress_of("clarity", store=store).raters] == [1, 1]
    assert erin.submit("/lab/panels/close", {"panel": "clarity"}).status_code == 303
    file = erin.get("/lab/panels/clarity/export")
    assert 'filename="clarity-panel.html"' in file.headers["content-disposition"]
    assert "blind to condition" in unescape(file.text)
