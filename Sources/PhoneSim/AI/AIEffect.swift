package import CoachProtocol
package import Link

/// An order of the ``AIClient`` to the phone, or an outcome of a request.
package enum AIEffect: Sendable, Equatable {
  /// Store the request, replacing an earlier attempt, and send it.
  case ask(AIRequest, replacing: Identifier?)
  /// Send a stored request again after a restart.
  case askAgain(AIRequest)
  /// The cache answered the request; nothing was sent.
  case cached(AIRequest, AIAnswer)
  /// The answer arrived in time. The request is settled; cache the answer.
  case answered(AIRequest, AIAnswer, CachedAnswer)
  /// No reply arrived in time: use a stock line.
  case fellBack(AIRequest)
  /// The answer arrived after its deadline.
  case late(AIRequest, AIAnswer, CachedAnswer)
  /// An attempt failed. It is retried at ``AIRequest/retryAt``, or final if `settled`.
  case failed(AIRequest, why: String, settled: Bool)
  /// No edge script arrived so far: the run needs the phone's own.
  case needsScript(runId: Identifier)
  /// The request was abandoned because its answer is no longer needed.
  case dropped(AIRequest, why: String)
  /// Stop transmitting this attempt.
  case forget(Identifier)
}

/// A validated answer of the edge.
package enum AIAnswer: Sendable, Equatable {
  /// A script that passed the validator.
  case script(Script)
  /// A reply to the runner.
  case reply(ChatReplyResponse)
  /// A summary of a run.
  case summary(PostRunSummaryResponse)
}
