package import Console
import HealthSim
package import Link

/// A user's act in an app: an element of a scenario's `phone.acts` or `watch.acts`.
package struct TimedAct: Sendable, Equatable {
  package var at: VirtualTime
  var role: NodeRole
  /// The `do`.
  var name: String
  /// The `with`, an object, if any.
  var arguments: JSONNode?
  /// Whether the act starts an app that is down, as if the user opened it.
  var launches = false

  /// The limit of acts of one device.
  static let countMax = 10_000
  /// The limit of `with` as JSON, in bytes.
  static let argumentBytesMax = AppFact.textBytesMax
  /// The form of a name, for messages.
  static let expectedName = "a letter, then letters, digits, - and _, at most \(AppFact.nameBytesMax) bytes"

  /// The command that passes it to the app.
  var command: NodeCommand { NodeCommand(act: name, with: arguments) }

  /// Whether another act does the same, at any time.
  package func isSame(as other: TimedAct) -> Bool {
    role == other.role && words == other.words
  }

  /// The arguments of `ctl` that do it now.
  package var words: [String] {
    ["act", role.text, name] + (arguments.map { [String(decoding: JSONWriter.compact($0), as: UTF8.self)] } ?? [])
  }

  /// The `with`, if any.
  package var argumentValue: JSONValue? { arguments?.value }

  /// How an element of `phone.acts` or `watch.acts` is read, written and described.
  static func schema(_ role: NodeRole) -> ObjectSchema<Self> {
    ObjectSchema(
      "acts[]",
      "Something that a user does in an app"
        + " ([facts and acts](your-app-reference.md#facts-and-acts)).",
      Self(at: .start, role: role, name: ""),
      [
        Field("at", \.at, .instant, "since the run's start; an app that is down gets it at its next start", .required),
        Field(
          "do", \.name, .string.named("string, \(expectedName)").satisfying(expectedName, AppFact.isName),
          "the name under which the app has a handler", .required),
        Field("with", \.arguments, .arguments, "the arguments", .otherwise("empty")),
        Field(
          "launch", \.launches, .bool, "the act starts the app where it is down, as a user does who opens it"
        ).omittedAtDefault,
      ])
  }
}

extension ValueSchema where Value == JSONNode {
  /// An object of a limited size.
  static var arguments: Self {
    Self(
      .named(
        "object, at most \(TimedAct.argumentBytesMax) bytes as JSON", ValueSchema<[JSONMember]>.anyMembers.description),
      read: { value in
        guard case .object = value.node.value else {
          value.refuse(expected: "an object")
          return nil
        }
        let bytes = JSONWriter.compact(value.node).count
        guard bytes <= TimedAct.argumentBytesMax else {
          value.error("found \(bytes) bytes as JSON, expected at most \(TimedAct.argumentBytesMax)")
          return nil
        }
        return value.node
      }, write: { node, _ in node.value })
  }
}

extension Scenario {
  /// Refuses acts for a built-in node, and faults that apply only to apps.
  package func checkApps() throws(Failure) {
    for fault in faults {
      guard case .node(let body) = fault.body, type(of: body).isForAppsOnly, programs[body.node] == nil else {
        continue
      }
      throw .input(
        "faults: found \(fault.kind) for the built-in \(body.node.text), expected an app: \(body.node.text).command, or "
          + "--\(body.node.text)-cmd")
    }
    if expectations.contains(where: \.comparesWorkouts), let why = untoldTruth {
      throw .input("expect: \(why)")
    }
    if actDraw != nil, appRoles.isEmpty {
      throw .input(
        "acts: found drawn acts without an app, expected phone.command, watch.command, --phone-cmd or --watch-cmd")
    }
    guard !appRoles.isEmpty || ownHealthKit == nil else {
      throw .input(
        "healthKit: found the key for the built-in devices, expected an app: watch.command or phone.command, --watch-cmd or"
          + " --phone-cmd")
    }
    guard !appRoles.isEmpty || ownSystem == nil else {
      throw .input(
        "system: found the key for the built-in devices, expected an app: watch.command or phone.command, --watch-cmd or"
          + " --phone-cmd")
    }
    guard let act = acts.first(where: { programs[$0.role] == nil }) else { return }
    throw .input(
      "\(act.role.text).acts: found the act \"\(act.name)\" for the built-in \(act.role.text), expected an app: "
        + "\(act.role.text).command, or --\(act.role.text)-cmd")
  }
}

extension Scenario {
  /// Whether days or acts are drawn, so that each seed has others.
  package var isDrawn: Bool { athlete != nil || actDraw != nil }

  /// The names of all acts that users may do.
  var actNames: Set<String> { Set(acts.map(\.name) + (actDraw?.acts.map(\.name) ?? [])) }
}
