import Console
import Link

/// What is drawn of users' acts in apps: a scenario's `acts`.
struct ActDraw: Sendable, Equatable {
  /// An act that may be drawn.
  struct Act: Sendable, Equatable {
    var name = ""
    /// The `with`; nil for none.
    var arguments: JSONNode?
    /// How often it is drawn, beside the others that the model allows.
    var weight: Int64 = 1
    /// The device that takes it; nil for either.
    var role: NodeRole?
    var launches = false
  }

  var acts: [Act] = []
  /// The time from one act to the next.
  var every = SpanRange(.seconds(2), .seconds(60))
  var from = VirtualTime.start
  /// No act is drawn later; nil for the time by which drawn faults have ended.
  var until: VirtualTime?
  /// The limit of acts of the model, without those of habits.
  var maximum = 200
  /// In which order acts come; nil for any.
  var model: ActModel?
  var habits = Habits()
  /// Whether `healthKit` and `system` are drawn, too, where the scenario has them empty.
  var drawsAccess = false

  /// What users do besides, each as a share of the acts, 0 to 1.
  struct Habits: Sendable, Equatable {
    /// The same act again within 1.5 s.
    var twice = 0.1
    /// The same act on the other device, up to 2 s before or after.
    var both = 0.1
    /// The act comes during a cut of the link, or while the other device's app is away.
    var away = 0.2
  }

  static let schema = ObjectSchema<Self>(
    "acts",
    "Draws what users do in apps of your own, from the seed ([sweeps.md](sweeps.md#drawn-hands)).", Self(),
    [
      Field("draw", \.acts, .array(of: .act, count: 1...100), "what may be drawn", .required),
      Field(
        "every", \.every, .spanRange(.milliseconds(1)...(.hours(24))), "how long after one act the next one comes"),
      Field(
        "model", \.model, .model,
        "in which order: an object of states, the first one being that of the start, each with acts and the state after it,"
          + " or an expression of acts with `*`, `+`, `?`, `|` and parentheses, which is repeated",
        .otherwise("any order")),
      Field("from", \.from, .instant, "no act comes before"),
      Field("until", \.until, .instant, "no act comes later", .otherwise("when drawn faults have ended")),
      Field("maximum", \.maximum, .integer(1...2_000), "how many acts at most, without those of `habits`"),
      Field("habits", \.habits, .object(habitsSchema), "what users do besides", .otherwise("as below")),
      Field(
        "access", \.drawsAccess, .bool,
        "whether `healthKit` and `system` are drawn, too, where the scenario has them as `{}`: what users allow and when, what"
          + " their calendars have, what they say"
      ).omittedAtDefault,
    ]
  ) { draw, reader in draw.check(reader) }

  private static let habitsSchema = ObjectSchema<Habits>(
    "acts.habits", "What users do besides, each as a share of the acts.", Habits(),
    [
      Field("twice", \.twice, .number(0...1), "the same act again within 1.5 s"),
      Field("both", \.both, .number(0...1), "the same act on the other device, up to 2 s before or after"),
      Field(
        "away", \.away, .number(0...1),
        "the act comes during a cut of the link, or while the other device's app is away"),
    ])

  /// Reports acts that the model does not know, and that it knows alone; false after that.
  private func check(_ reader: JSONObjectReader) -> Bool {
    if let until, until <= from {
      reader.value("until")?.refuse(expected: "a time after `from`")
      return false
    }
    guard let model else { return true }
    let (drawn, known) = (acts.map(\.name), model.names)
    if let name = known.first(where: { !drawn.contains($0) }) {
      let hint = Spelling.nearest(to: name, among: drawn).map { "; did you mean \"\($0)\"?" } ?? ""
      let list = drawn.map { "\"\($0)\"" }.joined(separator: ", ")
      reader.value("model")?.error("found the act \"\(name)\", expected one of draw: \(list)\(hint)")
      return false
    }
    if let index = drawn.firstIndex(where: { !known.contains($0) }) {
      reader.array("draw")?[index].error("found \"\(drawn[index])\", which the model never does")
      return false
    }
    return true
  }
}

extension ValueSchema where Value == ActDraw.Act {
  /// The name of an act, or an object.
  fileprivate static var act: Self {
    let name = ValueSchema<String>.string.named("string, \(TimedAct.expectedName)")
      .satisfying(TimedAct.expectedName, AppFact.isName)
    let schema = ObjectSchema<ActDraw.Act>(
      "acts.draw[]", "An act that may be drawn.", ActDraw.Act(),
      [
        Field("do", \.name, name, "the name under which the app has a handler", .required),
        Field(
          "with", \.arguments, .arguments,
          "the arguments: the text `fresh` becomes a new name for each act (`run-1`, `run-2`), `last` the newest of these",
          .otherwise("empty")),
        Field("weight", \.weight, .integer(1...1_000), "how often, beside the others that are possible then"),
        Field("on", \.role, .words([.watch, .phone]), "the device that takes it", .otherwise("either")),
        Field("launch", \.launches, .bool, "the act starts the app where it is down").omittedAtDefault,
      ])
    return Self(
      .either([.string(), .object(schema.description)]),
      read: { value in
        if case .object = value.node.value { return value.object().flatMap { schema.readWhole($0) } }
        return name.read(value).map { ActDraw.Act(name: $0) }
      },
      write: { act, style in
        act == ActDraw.Act(name: act.name) ? .string(act.name) : .object(schema.members(of: act, style))
      })
  }
}

extension ValueSchema where Value == NodeRole {
  /// One of some devices.
  fileprivate static func words(_ roles: [NodeRole]) -> Self {
    Self(
      .words(roles.map(\.text)), read: { value in value.oneOf(roles.map { ($0.text, $0) }) },
      write: { role, _ in .string(role.text) })
  }
}

extension ValueSchema where Value == ActModel {
  /// An object of states, or an expression.
  fileprivate static var model: Self {
    Self(
      .named(
        "object of states, or an expression", .either([ValueSchema<[JSONMember]>.anyMembers.description, .string()])),
      read: { ActModel($0) }, write: { model, _ in model.node.value })
  }
}
