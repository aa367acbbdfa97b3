import CoachProtocol
import Link

/// What the proxy sends to the model: the system prompt in blocks that the provider caches, then the question.
///
/// Blocks go from what changes least to what changes most, because a cache holds beginnings of a prompt.
struct ModelRequest: Sendable, Equatable {
  var model: Model
  /// The personality's prompt; then memory and recent runs, if there are any.
  var system: [String]
  var question: String

  /// A model and its prices, in nanodollars a token.
  struct Model: Sendable, Equatable {
    var name: String
    var input: Int
    var output: Int

    /// A cache that lasts an hour costs twice the price of input once, and a tenth of it from then on.
    var cacheWrite: Int { 2 * input }
    var cacheRead: Int { input / 10 }

    static let sonnet = Self(name: "claude-sonnet-4-6", input: 3_000, output: 15_000)
    static let haiku = Self(name: "claude-haiku-4-5", input: 1_000, output: 5_000)
  }

  init(_ model: Model, personality: String, memory: [MemoryFact] = [], recentRuns: [String] = [], question: String) {
    self.model = model
    system = [CoachVoice.named(personality).systemPrompt]
    if !memory.isEmpty || !recentRuns.isEmpty {
      system.append(JSONValue.object(of: ["userMemory": memory, "recentRunSummaries": recentRuns]).compactText)
    }
    self.question = question
  }

  /// The body as the model's provider reads it.
  var json: JSONValue {
    let block: (String) -> JSONValue = {
      let control = JSONValue.object(of: ["type": "ephemeral", "ttl": "1h"])
      return .object(of: ["type": "text", "text": $0, "cache_control": control])
    }
    return .object(of: [
      "model": model.name, "max_tokens": 4_096, "system": system.map(block),
      "messages": [JSONValue.object(of: ["role": "user", "content": question])],
    ])
  }

  /// Each beginning of the system prompt that ends with a block: its digest, and its tokens.
  var prefixes: [(digest: UInt64, tokens: Int)] {
    var text: [UInt8] = []
    return system.map { block in
      text += Array(block.utf8)
      return (Digest.prefix(text), Self.tokens(text.count))
    }
  }

  /// About four bytes are a token; at least one.
  static func tokens(_ bytes: Int) -> Int { max(1, (bytes + 3) / 4) }
}

extension CoachVoice {
  /// The prompt that the proxy prepends for this personality.
  var systemPrompt: String {
    """
    You are a running coach with the personality \(name). You speak to one runner during and after a run, in one or two \
    short sentences that sound well when spoken. Sentences in this voice: \(opening[0]) \(slow[0]) \(farewell[0]) \
    Use only figures that the request has. Answer in the JSON shape of the endpoint, and with nothing else.
    """
  }
}

extension GenerateScriptRequest {
  var modelRequest: ModelRequest {
    var question = self
    (question.userMemory, question.recentRunSummaries) = ([], [])
    return ModelRequest(
      .sonnet, personality: personality, memory: userMemory, recentRuns: recentRunSummaries,
      question: question.json.compactText)
  }
}

extension ChatReplyRequest {
  var modelRequest: ModelRequest { ModelRequest(.haiku, personality: personality, question: json.compactText) }
}

extension PostRunSummaryRequest {
  var modelRequest: ModelRequest {
    var question = self
    question.userMemory = []
    return ModelRequest(.sonnet, personality: personality, memory: userMemory, question: question.json.compactText)
  }
}

/// The provider's cache of prompts: each beginning of a prompt lasts an hour after its last use.
///
/// A real provider caches only prompts from some thousand tokens on; this one has no such minimum.
struct PromptCache: Sendable {
  static let lifetime = VirtualTime.Span.seconds(3_600)

  private struct Entry: Sendable {
    var model: String
    var digest: UInt64
    var until: VirtualTime
  }

  private var entries: [Entry] = []

  /// Counts what a question and its answer use.
  mutating func use(_ question: ModelRequest, answer: [UInt8], at now: VirtualTime) -> ModelUsage {
    entries.removeAll { $0.until < now }
    let prefixes = question.prefixes
    let model = question.model
    let read = prefixes.last { prefix in entries.contains { $0.model == model.name && $0.digest == prefix.digest } }
    for prefix in prefixes {
      entries.removeAll { $0.model == model.name && $0.digest == prefix.digest }
      entries.append(Entry(model: model.name, digest: prefix.digest, until: now + Self.lifetime))
    }
    let cached = read?.tokens ?? 0
    let written = (prefixes.last?.tokens ?? 0) - cached
    let input = ModelRequest.tokens(question.question.utf8.count)
    let output = ModelRequest.tokens(answer.count)
    let nanodollars =
      input * model.input + written * model.cacheWrite + cached * model.cacheRead + output * model.output
    return ModelUsage(
      model: model.name, inputTokens: input, cacheCreationInputTokens: written, cacheReadInputTokens: cached,
      outputTokens: output, costUsd: Double(nanodollars) / 1e9)
  }
}
