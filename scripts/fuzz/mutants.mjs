/** @typedef {{ breaks: string, file: string, from: string, to: string }} Mutant */

/**
 * Ways to break the rules of core, each by one replacement in one file; the judge must notice each. A text
 * that is not in its file fails the run, so this list stays in step with the sources.
 *
 * @type {readonly Mutant[]}
 */
export const MUTANTS = [
  {
    breaks: 'an approval may name another digest than that of its params',
    file: 'review/decide-approve.ts',
    from: 'if (found === expected) return undefined;',
    to: 'if (found !== undefined) return undefined;',
  },
  {
    breaks: 'approvals of other params are counted',
    file: 'review/count-approval.ts',
    from: 'if (approval.digest !== digest || isOut(approval)) return false;',
    to: 'if (isOut(approval)) return false;',
  },
  {
    breaks: 'two tokens of one person are two approvals',
    file: 'review/count-approval.ts',
    from: 'isSamePerson(one, other) || partyOf(one) === partyOf(other);',
    to: 'one.by === other.by;',
  },
  {
    breaks: 'another token of the proposer may approve',
    file: 'proposal/may-fulfil.ts',
    from: 'who === proposal.proposer || (sender?.subject ?? who) === subject',
    to: 'who === proposal.proposer && subject !== undefined && sender !== undefined',
  },
  {
    breaks: 'the person whom the proposer works for may approve',
    file: 'review/approvers.ts',
    from: 'if (notRequester !== true || !isRequester(proposal, somebody)) return undefined;',
    to: 'if (notRequester !== false || !isRequester(proposal, somebody)) return undefined;',
  },
  {
    breaks: 'the entry of the proposed params counts for amended ones',
    file: 'review/count-approval.ts',
    from: 'const entry = reviewOf(proposal, settings, isJsonObject(params) ? params : undefined);\n  const refused',
    to: 'const entry = reviewOf(proposal, settings);\n  const refused',
  },
  {
    breaks: 'entries count for proposals of everybody',
    file: 'review/policy.ts',
    from: 'isNamed(policy[place]?.proposers ?? NOBODY, proposer);',
    to: 'place >= 0 && isNamed(NOBODY, proposer);',
  },
  {
    breaks: 'a veto is only a remark',
    file: 'review/approvers.ts',
    from: "if (entry.veto) return { why: 'veto', entry: entry.name };",
    to: '',
  },
  {
    breaks: 'a rejection does not take back the approval of its sender',
    file: 'proposal/evolve-proposal.ts',
    from: '(each) => each.by !== name && personOf(each) !== person && partyOf(each) !== person,',
    to: "(each) => each.by !== '' && personOf(each) !== '' && partyOf(each) !== '',",
  },
  {
    breaks: 'a proposal that is no longer pending can be approved',
    file: 'proposal/may-fulfil.ts',
    from: "if (proposal.phase !== 'pending') return refuseNotPending(proposal);",
    to: '',
  },
  {
    breaks: 'a proposal whose time is up can be approved',
    file: 'consequences.ts',
    from: 'const isExpired = now >= expiresAt;',
    to: 'const isExpired = now < 0;',
  },
  {
    breaks: 'what is reserved for somebody can be approved by others',
    file: 'proposal/may-fulfil.ts',
    from: 'if (!reserved || targeting.preferred.includes(who)) return undefined;',
    to: 'if (!reserved || who !== "") return undefined;',
  },
  {
    breaks: 'later approvals may name another executor',
    file: 'review/count-approval.ts',
    from: 'if (first.executor === executor && isSame) return undefined;',
    to: 'if (first.executor === executor || isSame) return undefined;',
  },
  {
    breaks: 'what changed since it was shown can be approved',
    file: 'review/shown-version.ts',
    from: "typeof version === 'number' && proposal.newsAt > version;",
    to: "typeof version === 'string' && proposal.newsAt > 0;",
  },
  {
    breaks: 'a request that nobody proposed runs whatever the policy says',
    file: 'review/unproposed-request.ts',
    from: 'if (entry === undefined || mayAlone) return undefined;',
    to: 'if (entry === undefined || mayAlone || entry.approvals > 0) return undefined;',
  },
  {
    breaks: 'an agent may approve any number alone',
    file: 'review/agents.ts',
    from: 'if (used.length < agents.perHour || used.some',
    to: 'if (used.length < Infinity || used.some',
  },
  {
    breaks: 'an agent may approve alone what is out of range',
    file: 'review/agents.ts',
    from: 'found >= (min ?? found) && found <= (max ?? found);',
    to: 'found >= (min ?? found) && found <= Infinity;',
  },
  {
    breaks: 'what an agent approves alone is not counted before',
    file: 'review/agents.ts',
    from: 'use.entry === entry) === true) return undefined;',
    to: "use.entry === entry) === true || about !== '') return undefined;",
  },
  {
    breaks: 'a pause does not hold back approvals',
    file: 'pause/pause.ts',
    from: 'if (pause === undefined || !pause.isPaused) return undefined;',
    to: 'if (pause === undefined || pause.at > 0) return undefined;',
  },
  {
    breaks: 'a pause does not hold back what was approved before',
    file: 'dependencies/next-by-dependencies.ts',
    from: 'context.space.pause?.isPaused !== true',
    to: 'context.now > 0',
  },
  {
    breaks: 'what is approved does not wait for what it depends on',
    file: 'review/count-approval.ts',
    from: 'const held = waitsFor(proposal).length > 0;',
    to: 'const held = waitsFor(proposal).length > 1_000;',
  },
  {
    breaks: 'a dependency that failed counts as done',
    file: 'dependencies/next-by-dependencies.ts',
    from: "if (outcome === 'ok') met.push(dependency);",
    to: "if (outcome === 'ok' || outcome === 'error') met.push(dependency);",
  },
  {
    breaks: 'a counter-offer that was cancelled can be accepted',
    file: 'counter/decide-accept.ts',
    from: "if (state !== 'withdrawn') return undefined;",
    to: "if (state !== 'accepted') return undefined;",
  },
  {
    breaks: 'anybody may accept a counter-offer',
    file: 'counter/decide-accept.ts',
    from: 'checkProposer(proposal, envelope) ??\n    (proposal.phase',
    to: '(proposal.phase',
  },
  {
    breaks: 'a proposal that is over can be renewed',
    file: 'proposal/decide-remark.ts',
    from: "if (!isOpen(proposal)) return { unchanged: 'late' };\n  const about",
    to: 'const about',
  },
  {
    breaks: 'a delegation counts after its time',
    file: 'delegation/delegation.ts',
    from: 'return now < until;',
    to: 'return now < until + 3_600_000;',
  },
  {
    breaks: 'somebody who has no part can hand it over',
    file: 'delegation/delegated-approval.ts',
    from: 'if (!isAmong(approvers, { name, roles })) return false;',
    to: '',
  },
  {
    breaks: 'a grant has more uses than were granted',
    file: 'grants/use.ts',
    from: 'const left = grant.left - 1;',
    to: 'const left = Math.max(1, grant.left - 1);',
  },
  {
    breaks: 'a use of a grant is counted after the message',
    file: 'grants/use.ts',
    from: 'appends: [append, ...decision.appends], inOrder: true',
    to: 'appends: [...decision.appends, append], inOrder: true',
  },
  {
    breaks: 'a grant is in force after its end',
    file: 'grants/grant.ts',
    from: 'return until === undefined || now < until;',
    to: 'return until === undefined || now < until + 3_600_000;',
  },
  {
    breaks: 'a grant is in force after it was revoked',
    file: 'grants/grant.ts',
    from: 'return grants.filter(({ id }) => !revoked.includes(id));',
    to: "return grants.filter(({ id }) => !revoked.includes('') && id !== '');",
  },
  {
    breaks: 'somebody may grant what it may not do',
    file: 'grants/decide-grant.ts',
    from: 'if (!held.some((mine) => contains(mine, capability))) {',
    to: 'if (!held.some((mine) => contains(mine, capability) || index >= 0)) {',
  },
  {
    breaks: 'a grant lets one approve what others propose',
    file: 'review/count-approval.ts',
    from: 'if (grant === undefined || (entry === undefined && by === proposer)) return undefined;',
    to: "if (grant === undefined || by !== '' || entry?.name === proposer) return undefined;",
  },
  {
    breaks: 'a grant runs proposals that a policy is about',
    file: 'grants/run-if-granted.ts',
    from: 'if (reviewOf(proposal, context.settings, proposal.params) !== undefined) return undefined;',
    to: '',
  },
  {
    breaks: 'a grant runs proposals during a pause',
    file: 'grants/run-if-granted.ts',
    from: 'space.pause?.isPaused === true',
    to: 'space.grants.size < 0',
  },
  {
    breaks: 'what runs at once by a grant is not counted',
    file: 'grants/use.ts',
    from: 'if (run === undefined || grant === undefined) return undefined;',
    to: "if (run === undefined || grant === undefined || grant.to !== '') return undefined;",
  },
  {
    breaks: 'a message that comes again is taken again',
    file: 'space/decide-in-space.ts',
    from: 'if (seen !== undefined) {\n    const same',
    to: 'if (seen !== undefined && seen.time < 0) {\n    const same',
  },
];
