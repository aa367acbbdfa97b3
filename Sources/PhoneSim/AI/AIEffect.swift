package import CoachProtocol
package import Link

/// What came of a question to the edge, or is to be done about it.
package enum AIEffect: Sendable, Equatable {
  /// Keep the question, in the place of an attempt before it, and send it.
  case ask(AIRequest, replacing: Identifier?)
  /// Send a question again that was kept: the phone began anew before its answer.
  case askAgain(AIRequest)
  /// The same was asked before, and is answered from the cache; nothing was sent.
  case cached(AIRequest, AIAnswer)
  /// The answer came in time; the question is settled, and the answer is to be kept for the same question.
  case answered(AIRequest, AIAnswer, CachedAnswer)
  /// No answer to the runner came in time: a stock line stands in for it.
  case fellBack(AIRequest)
  /// An answer came too late.
  case late(AIRequest, AIAnswer, CachedAnswer)
  /// An attempt failed; the question waits to be asked again where it has a ``AIRequest/retryAt``, and is settled where
  /// it is `settled`.
  case failed(AIRequest, why: String, settled: Bool)
  /// The run needs a script of the phone's own, as none came from the edge so far.
  case needsScript(runId: Identifier)
  /// The question is given up: nobody needs the answer any more.
  case dropped(AIRequest, why: String)
  /// Nothing more is to be sent for this attempt.
  case forget(Identifier)
}

/// What the edge said, as the phone uses it.
package enum AIAnswer: Sendable, Equatable {
  /// A script that passed the validator.
  case script(Script)
  /// An answer to the runner.
  case reply(ChatReplyResponse)
  /// What there is to say about a run.
  case summary(PostRunSummaryResponse)
}
