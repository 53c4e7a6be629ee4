"""Runs MACP's public Python SDK, unchanged, against a gateway, in every mode.

python check_sdk.py HOST:PORT   # a gateway that believes every name: `proffer up --dev`

It needs `pip install "macp-sdk-python[receipts]"`. Prints one line for each check; the exit code is 1 if one failed.
"""

import sys
import threading
import traceback

from macp.v1 import policy_pb2
from macp_sdk import (
    AuthConfig,
    DecisionSession,
    HandoffSession,
    MacpClient,
    ProposalSession,
    QuorumSession,
    TaskSession,
    receipt,
)
from macp_sdk.commitment_hash import commitment_hash
from macp_sdk.constants import MODE_MULTI_ROUND
from macp_sdk.envelope import (
    build_commitment_payload,
    build_contribute_payload,
    build_envelope,
    build_session_start_payload,
    new_session_id,
    serialize_message,
)

TARGET = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"


def named(name):
    return AuthConfig.for_dev_agent(name)


def connect(name):
    return MacpClient(target=TARGET, allow_insecure=True, auth=named(name), default_timeout=30)


def state_of(client, session_id):
    return client.get_session(session_id).metadata.state


RESOLVED = 2
SUSPENDED = 4
CANCELLED = 5
START = {"intent": "check", "ttl_ms": 60_000}
ANN, BOB, CAT = named("ann"), named("bob"), named("cat")


def decision(client):
    session = DecisionSession(client)
    session.start(participants=["ann", "bob", "cat"], **START)
    session.propose("p1", "deploy", rationale="it is ready")
    session.evaluate("p1", "APPROVE", confidence=0.9, auth=BOB)
    session.raise_objection("p1", reason="late", severity="low", auth=CAT)
    session.vote("p1", "APPROVE", auth=BOB)
    session.vote("p1", "APPROVE", auth=CAT)
    assert session.decision_projection.majority_winner() == "p1"
    session.commit(action="deployment.approved", authority_scope="release", reason="agreed")
    assert state_of(client, session.session_id) == RESOLVED
    return session


def proposal(client):
    session = ProposalSession(client)
    session.start(participants=["ann", "bob"], **START)
    session.propose("p1", "100 dollars")
    session.counter_propose("p2", "p1", "90 dollars", auth=BOB)
    session.accept("p2")
    session.accept("p2", auth=BOB)
    assert session.proposal_projection.accepted_proposal() == "p2"
    session.commit(action="contract.agreed", authority_scope="sales", reason="agreed")
    assert state_of(client, session.session_id) == RESOLVED
    return session


def task(client):
    session = TaskSession(client)
    session.start(participants=["ann", "bob"], **START)
    session.request_task("t1", "count", requested_assignee="bob")
    session.accept_task("t1", assignee="bob", auth=BOB)
    session.update_task("t1", status="half", progress=0.5, auth=BOB)
    session.complete_task("t1", assignee="bob", output=b"42", auth=BOB)
    assert session.task_projection.is_completed("t1")
    session.commit(action="task.completed", authority_scope="work", reason="done")
    assert state_of(client, session.session_id) == RESOLVED
    return session


def handoff(client):
    session = HandoffSession(client)
    session.start(participants=["ann", "bob"], **START)
    session.offer("h1", "bob", scope="support")
    session.add_context("h1", content_type="text/plain", context=b"see the ticket")
    session.accept_handoff("h1", accepted_by="bob", auth=BOB)
    assert session.handoff_projection.is_accepted("h1")
    session.commit(action="handoff.accepted", authority_scope="support", reason="taken over")
    assert state_of(client, session.session_id) == RESOLVED
    return session


def quorum(client):
    session = QuorumSession(client)
    session.start(participants=["ann", "bob", "cat"], **START)
    session.request_approval("r1", "release", required_approvals=2)
    session.approve("r1", auth=BOB)
    session.abstain("r1")
    session.approve("r1", auth=CAT)
    assert session.quorum_projection.commitment_ready("r1")
    session.commit(action="quorum.approved", authority_scope="release", reason="two of three")
    assert state_of(client, session.session_id) == RESOLVED
    return session


def multi_round(client):
    session_id = new_session_id()

    def say(message_type, sender, payload):
        envelope = build_envelope(
            mode=MODE_MULTI_ROUND,
            message_type=message_type,
            session_id=session_id,
            sender=sender,
            payload=serialize_message(payload),
        )
        return client.send(envelope, auth=named(sender))

    versions = {"mode_version": "1.0.0", "configuration_version": "config.default"}
    start = build_session_start_payload(participants=["ann", "bob"], policy_version="", **versions, **START)
    say("SessionStart", "ann", start)
    say("Contribute", "ann", build_contribute_payload("blue"))
    say("Contribute", "bob", build_contribute_payload("green"))
    say("Contribute", "bob", build_contribute_payload("blue"))
    outcome = {"action": "round.agreed", "authority_scope": "colour", "reason": "all said blue"}
    say("Commitment", "ann", build_commitment_payload(policy_version="", **versions, **outcome))
    assert state_of(client, session_id) == RESOLVED


def duplicates_and_refusals(client):
    session = ProposalSession(client)
    session.start(participants=["ann", "bob"], **START)
    envelope = session._propose_envelope("p1", "100 dollars")
    assert not client.send(envelope).duplicate
    assert client.send(envelope).duplicate
    stranger = client.send(session._propose_envelope("p2", "1", auth=named("mallory")), auth=named("mallory"), raise_on_nack=False)
    assert stranger.error.code == "FORBIDDEN", stranger
    early = client.send(session._commit_envelope(action="a.b", authority_scope="c", reason="d", commitment_id=None, outcome_positive=None, sender=None, auth=None), raise_on_nack=False)
    assert not early.ok


def lifecycle(client):
    session = ProposalSession(client)
    session.start(participants=["ann", "bob"], max_suspend_ms=1_000, **START)
    session.suspend(reason="lunch")
    assert state_of(client, session.session_id) == SUSPENDED
    session.resume(reason="back")
    session.cancel(reason="enough")
    assert state_of(client, session.session_id) == CANCELLED


def streams(client):
    session = ProposalSession(client)
    session.start(participants=["ann", "bob"], **START)
    session.propose("p1", "100 dollars")
    stream = client.open_stream()
    stream.send_subscribe(session.session_id, 0)
    first, second = stream.read(timeout=20), stream.read(timeout=20)
    assert [first.message_type, second.message_type] == ["SessionStart", "Proposal"]
    session.accept("p1", auth=BOB)
    assert stream.read(timeout=20).message_type == "Accept"
    stream.cancel()


def unknown_session(client):
    stream = client.open_stream()
    stream.send_subscribe(new_session_id(), 0)
    try:
        stream.read(timeout=20)
    except Exception as error:
        assert "NOT_FOUND" in str(error), error
    else:
        raise AssertionError("a stream of an unknown session went on")
    finally:
        stream.cancel()


def lists(client):
    made = {proposal(client).session_id for _ in range(3)}
    listed = [session.session_id for session in client.list_sessions(page_size=2)]
    assert made <= set(listed) and len(listed) == len(set(listed))


def registries(client):
    assert {mode.mode for mode in client.list_modes().modes} >= {DecisionSession.MODE, TaskSession.MODE}
    assert client.get_manifest().manifest.supported_modes
    client.list_ext_modes()
    client.list_roots()
    assert any(policy.policy_id == "policy.default" for policy in client.list_policies().descriptors)


def watches(client):
    events = client.watch_sessions(timeout=30)
    found = threading.Event()
    session = ProposalSession(client)

    def listen():
        for event in events:
            if event.event.session.session_id == session.session_id:
                found.set()
                return

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    session.start(participants=["ann", "bob"], **START)
    assert found.wait(20)


def what_if(client):
    session = proposal(client)
    candidate = policy_pb2.PolicyDescriptor(
        policy_id="policy.candidate",
        mode=ProposalSession.MODE,
        rules='{"commitment":{"authority":"designated_role","designated_roles":["bob"]}}',
        schema_version=1,
    )
    report = client.what_if_replay(session.session_id, candidate)
    assert report.recorded.state == RESOLVED and report.candidate.state != RESOLVED
    assert report.first_divergence == len(report.entries) - 1


def receipts(client):
    session = decision(client)
    found = client.get_decision_receipt(session.session_id)
    assert found.receipt["commitment_hash"] == commitment_hash(receipt.commitment_from_projection(found.receipt["commitment"]))
    assert client.get_decision_receipt(session.session_id).raw == found.raw
    keys = receipt.trusted_keys_from_jwks(client.get_receipt_keys())
    verified = receipt.verify_receipt(found.receipt, keys)
    expected = "attested" if client.server_capabilities.decision_receipt.signed else "integrity_only"
    assert verified["verdict"] == expected, verified


CHECKS = [
    decision,
    proposal,
    task,
    handoff,
    quorum,
    multi_round,
    duplicates_and_refusals,
    lifecycle,
    streams,
    unknown_session,
    lists,
    registries,
    watches,
    what_if,
    receipts,
]


def main():
    failed = 0
    with connect("ann") as client:
        client.initialize()
        for check in CHECKS:
            try:
                check(client)
                print(f"ok    {check.__name__}")
            except Exception:
                failed += 1
                print(f"FAIL  {check.__name__}")
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
