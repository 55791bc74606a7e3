"""Subjects of all kinds: agents by file, programs in other languages, policies, environments, a person."""

import shutil
import threading
import warnings

import pytest

from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.running.environment.environment import as_env, as_parallel_env
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import open_store
from mensura.subjects import SubjectSpec

PYTHON_AGENT = """
class Best:
    def __call__(self, ask):
        rewards = list(ask.prompt[1].values)
        return 1 + rewards.index(max(rewards))


def policy(seen):
    return int(seen[:9].argmax())
"""
NODE_AGENT = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type !== "ask") return;
  const rewards = message.prompt[1].values;
  console.log(JSON.stringify({ answer: 1 + rewards.indexOf(Math.max(...rewards)) }));
});
"""


def scored(name, *, folder):
    subject = SubjectSpec(name, folder=str(folder)).make(lambda_star)
    try:
        taken = take(lambda_star, subject, seed=1, parameters={"episodes": 20}, trace="summary")
    finally:
        getattr(subject, "close", lambda: None)()
    assert taken.record.status == "finished", taken.session.last_words
    return score_record(lambda_star, taken.record, taken.truths).values["intelligence"].values.tolist()


def test_the_same_agent_scores_the_same_by_file_as_policy_and_in_another_language(tmp_path):
    (tmp_path / "mine.py").write_text(PYTHON_AGENT)
    (tmp_path / "agent.js").write_text(NODE_AGENT)
    by_file = scored("./mine.py:Best", folder=tmp_path)
    assert sum(by_file) > 0
    assert scored("policy:./mine.py:policy", folder=tmp_path) == by_file
    if shutil.which("node") is None:
        pytest.skip("node is not installed: the program in another language was left out")
    assert scored("program:node agent.js", folder=tmp_path) == by_file


def test_it_is_a_gymnasium_environment():
    checker = pytest.importorskip("gymnasium.utils.env_checker", reason="gymnasium is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(as_env(lambda_star, seed=1, episodes=2, iterations=10), skip_render_check=True)


def test_agents_in_an_environment_see_as_far_as_they_are_set_to_and_see_one_another():
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    for sight in (1, 2):
        cells = (2 * sight + 1) ** 2
        env = as_parallel_env(lambda_star, seed=1, episodes=1, iterations=10, agents=9, size="3", sight=sight)
        seen, _ = env.reset()
        for agent, array in seen.items():
            assert array.shape == env.observation_space(agent).shape == (3 * cells + 3,)
            rewards, objects, others = array[: 3 * cells].reshape(3, cells)
            assert rewards.any()
            assert set(objects) == {-1.0, 0.0, 1.0}
            # Nine agents begin on nine cells, so that each sees the others and not itself.
            if sight == 1:
                assert others.tolist() == [1.0] * 4 + [0.0] + [1.0] * 4
    single = as_env(lambda_star, seed=1, episodes=1, iterations=10, sight=3)
    assert single.reset()[0].shape == (3 * 49 + 3,)


def test_with_several_agents_it_is_a_pettingzoo_environment():
    api = pytest.importorskip("pettingzoo.test", reason="pettingzoo is not installed")
    env = as_parallel_env(lambda_star, seed=1, episodes=2, iterations=10, agents=3)
    api.parallel_api_test(env, num_cycles=60)


@pytest.mark.browser
def test_a_person_plays_it_in_the_browser_by_keys_and_sees_no_further_than_an_agent(tmp_path, chromium):
    from mensura.web.local import take_in_browser

    links, ready, results = [], threading.Event(), []

    def show(link):
        links.append(link)
        ready.set()

    def serve():
        with open_store(tmp_path / "people.db") as store:
            parameters = {"episodes": 1, "iterations": 6}
            results.append(take_in_browser(lambda_star.id, store=store, seed=1, parameters=parameters, show=show))

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    assert ready.wait(30)
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(links[0])
        for iteration, key in enumerate("789456", start=1):
            page.wait_for_selector(f'main[data-ready]:has(figcaption:has-text("Iteration {iteration} of 6"))')
            assert page.locator("table.cells td").count() == 9
            page.keyboard.press(key)
        page.wait_for_selector('main[data-ready][data-kind="over"]')
        page.get_by_role("button", name="Continue").click()
        page.wait_for_selector('main[data-ready][data-kind="thanks"]')
    serving.join(60)
    assert results[0].counts["finished"] == 1
    assert results[0].scores["intelligence"].n == 1
