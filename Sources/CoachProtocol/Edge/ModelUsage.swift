public import Link

/// What a proxy says of the model behind an answer: how much of it was used, and what that cost.
public struct ModelUsage: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "ModelUsage", "What an answer cost.",
    Self(
      model: "", inputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0, outputTokens: 0, costUsd: 0),
    [
      Field("model", \.model, .string, "its name", .required),
      Field("inputTokens", \.inputTokens, .integer(0...tokensMax), "read at the full price", .required),
      Field(
        "cacheCreationInputTokens", \.cacheCreationInputTokens, .integer(0...tokensMax), "put into the cache", .required
      ),
      Field("cacheReadInputTokens", \.cacheReadInputTokens, .integer(0...tokensMax), "in the cache", .required),
      Field("outputTokens", \.outputTokens, .integer(0...tokensMax), "written", .required),
      Field("costUsd", \.costUsd, .number(0...1e9), "dollars", .required),
    ])
}
