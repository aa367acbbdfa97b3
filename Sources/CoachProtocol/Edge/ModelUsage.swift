package import Link

/// What a proxy says of the model behind an answer: how much of it was used, and what that cost.
public struct ModelUsage: Sendable, Equatable, JSONConvertible {
  /// The model's name.
  public var model: String
  /// Tokens that were read at the full price.
  public var inputTokens: Int
  /// Tokens of the stable prefix that were put into the prompt's cache.
  public var cacheCreationInputTokens: Int
  /// Tokens of the stable prefix that were in the prompt's cache.
  public var cacheReadInputTokens: Int
  public var outputTokens: Int
  /// Dollars, at least 0.
  public var costUsd: Double

  static let tokensMax: Int64 = 1 << 40

  public init(
    model: String, inputTokens: Int, cacheCreationInputTokens: Int, cacheReadInputTokens: Int, outputTokens: Int,
    costUsd: Double
  ) {
    self.model = model
    self.inputTokens = inputTokens
    self.cacheCreationInputTokens = cacheCreationInputTokens
    self.cacheReadInputTokens = cacheReadInputTokens
    self.outputTokens = outputTokens
    self.costUsd = costUsd
  }

  init?(_ reader: JSONObjectReader) {
    let model = reader.string("model", required: true)
    let counts = ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens"]
      .compactMap { reader.integer($0, in: 0...Self.tokensMax, required: true).map { Int($0) } }
    let cost = reader.number("costUsd", in: 0...1e9, required: true)
    guard let model, counts.count == 4, let cost else { return nil }
    self.init(
      model: model, inputTokens: counts[0], cacheCreationInputTokens: counts[1], cacheReadInputTokens: counts[2],
      outputTokens: counts[3], costUsd: cost)
  }

  package var json: JSONValue {
    .object(of: [
      "model": model, "inputTokens": inputTokens, "cacheCreationInputTokens": cacheCreationInputTokens,
      "cacheReadInputTokens": cacheReadInputTokens, "outputTokens": outputTokens, "costUsd": costUsd,
    ])
  }
}
