import Link

/// In which order a user does things: states, and the acts that lead from one to the next.
struct ActModel: Sendable, Equatable {
  /// An act, and the state after it.
  struct Step: Sendable, Equatable {
    var act: String
    var next: Int
  }

  /// How the scenario writes it.
  let node: JSONNode
  /// The acts that are possible in each state; state 0 is that of the start.
  let states: [[Step]]

  /// The limit of states.
  static let statesMax = 1_000
  /// The limit of acts in an expression.
  static let actsMax = 200

  /// Every act, once.
  var names: [String] {
    var names: [String] = []
    for step in states.joined() where !names.contains(step.act) { names.append(step.act) }
    return names
  }

  /// Reads a model; nil after reporting what is wrong.
  init?(_ value: JSONValueReader) {
    node = value.node
    let read: [[Step]]? =
      switch value.node.value {
      case .object: Self.states(value)
      case .string(let text): Self.states(of: text, value)
      default: nil
      }
    guard let read else {
      switch value.node.value {
      case .object, .string: break
      default: value.refuse(expected: "an object of states, or an expression such as \"(start tap* stop)*\"")
      }
      return nil
    }
    states = read
  }

  // MARK: States

  private static func states(_ value: JSONValueReader) -> [[Step]]? {
    guard let reader = value.object() else { return nil }
    let names = reader.members.map(\.key)
    guard (1...statesMax).contains(names.count) else {
      value.error("found \(names.count) states, expected 1 to \(statesMax)")
      return nil
    }
    var states: [[Step]] = []
    for (index, name) in names.enumerated() {
      guard let acts = reader.object(name) else { return nil }
      var steps: [Step] = []
      for member in acts.members {
        guard let next = acts.value(member.key)?.oneOf(names.enumerated().map { ($0.element, $0.offset) }) else {
          return nil
        }
        steps.append(Step(act: member.key, next: next))
      }
      guard steps.contains(where: { $0.next != index }) else {
        let what = steps.isEmpty ? "no acts" : "only acts that stay in it"
        reader.value(name)?.error(
          "the state \"\(name)\" is never left: found \(what), expected one that leads to another state")
        return nil
      }
      states.append(steps)
    }
    let reached = Self.reached(states)
    if let lost = names.indices.first(where: { !reached.contains($0) }) {
      reader.value(names[lost])?.error(
        "the state \"\(names[lost])\" is never reached from \"\(names[0])\", the first one")
      return nil
    }
    return states
  }

  private static func reached(_ states: [[Step]]) -> Set<Int> {
    var reached: Set<Int> = [0]
    var open = [0]
    while let state = open.popLast() {
      for step in states[state] where reached.insert(step.next).inserted { open.append(step.next) }
    }
    return reached
  }

  // MARK: Expressions

  private static func states(of text: String, _ value: JSONValueReader) -> [[Step]]? {
    var expression = ActExpression(text)
    do throws(ActExpression.Refusal) { try expression.parse() } catch {
      value.error("found \(error.found) at character \(error.place + 1), expected \(error.expected)")
      return nil
    }
    guard let states = expression.states(most: statesMax) else {
      value.error("found an expression of more than \(statesMax) states, expected a simpler one")
      return nil
    }
    return states
  }
}

/// An expression of acts: `start (tap | lap)* stop`, repeated as a whole.
///
/// The states are sets of its acts that may have come last (Glushkov, 1961).
private struct ActExpression {
  struct Refusal: Error {
    var place: Int
    var found: String
    var expected: String
  }

  /// What a part of it may begin and end with, by the numbers of its acts.
  private struct Part {
    var isOptional: Bool
    var first: Set<Int> = []
    var last: Set<Int> = []
  }

  private let characters: [Character]
  private var place = 0
  private var depth = 0
  private var acts: [String] = []
  private var follow: [Set<Int>] = []
  private var whole = Part(isOptional: true)

  init(_ text: String) { characters = Array(text) }

  mutating func parse() throws(Refusal) {
    whole = try choice()
    guard place == characters.count else { throw refusal("an act, or the end") }
    guard !acts.isEmpty else { throw refusal("an act") }
  }

  private mutating func choice() throws(Refusal) -> Part {
    var part = try sequence()
    while next() == "|" {
      place += 1
      let other = try sequence()
      part.isOptional = part.isOptional || other.isOptional
      part.first.formUnion(other.first)
      part.last.formUnion(other.last)
    }
    return part
  }

  private mutating func sequence() throws(Refusal) -> Part {
    var part = try repeated()
    while let character = next(), character != "|", character != ")" {
      let other = try repeated()
      for act in part.last { follow[act].formUnion(other.first) }
      if part.isOptional { part.first.formUnion(other.first) }
      part.last = other.isOptional ? part.last.union(other.last) : other.last
      part.isOptional = part.isOptional && other.isOptional
    }
    return part
  }

  private mutating func repeated() throws(Refusal) -> Part {
    var part = try single()
    while let character = next(), "*+?".contains(character) {
      place += 1
      if character != "?" { for act in part.last { follow[act].formUnion(part.first) } }
      if character != "+" { part.isOptional = true }
    }
    return part
  }

  private mutating func single() throws(Refusal) -> Part {
    if next() == "(" {
      // Each level is a call.
      guard depth < 50 else { throw refusal("at most 50 levels of parentheses") }
      place += 1
      depth += 1
      let part = try choice()
      guard next() == ")" else { throw refusal("\")\"") }
      place += 1
      depth -= 1
      return part
    }
    _ = next()
    var name = ""
    while place < characters.count, Self.isPartOfName(characters[place]) {
      name.append(characters[place])
      place += 1
    }
    guard AppFact.isName(name) else { throw refusal("an act or \"(\"") }
    guard acts.count < ActModel.actsMax else { throw refusal("at most \(ActModel.actsMax) acts") }
    acts.append(name)
    follow.append([])
    return Part(isOptional: false, first: [acts.count - 1], last: [acts.count - 1])
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
  }

  /// The next character that is no blank; nil at the end.
  private mutating func next() -> Character? {
    while place < characters.count, " \t\n,".contains(characters[place]) { place += 1 }
    return place < characters.count ? characters[place] : nil
  }

  private func refusal(_ expected: String) -> Refusal {
    let found = place < characters.count ? "\"\(characters[place])\"" : "the end"
    return Refusal(place: place, found: found, expected: expected)
  }

  /// The states of the expression, repeated; nil beyond a number of them.
  func states(most: Int) -> [[ActModel.Step]]? {
    // The state of the start is that in which nothing came yet.
    var known: [Set<Int>] = [[]]
    var states: [[ActModel.Step]] = []
    while states.count < known.count {
      let state = known[states.count]
      var possible: Set<Int> = state.isEmpty ? whole.first : []
      for act in state { possible.formUnion(follow[act]) }
      if !state.isDisjoint(with: whole.last) { possible.formUnion(whole.first) }
      var names: [String] = []
      for act in possible.sorted() where !names.contains(acts[act]) { names.append(acts[act]) }
      var steps: [ActModel.Step] = []
      for name in names {
        let next = possible.filter { acts[$0] == name }
        if let index = known.firstIndex(of: next) {
          steps.append(ActModel.Step(act: name, next: index))
        } else {
          guard known.count < most else { return nil }
          known.append(next)
          steps.append(ActModel.Step(act: name, next: known.count - 1))
        }
      }
      states.append(steps)
    }
    return states
  }
}
