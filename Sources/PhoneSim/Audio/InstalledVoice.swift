import CoachProtocol
package import Link

/// A voice of the phone's speech synthesiser.
package struct InstalledVoice: Sendable, Equatable {
  package enum Quality: String, Sendable, CaseIterable {
    case standard, enhanced, premium

    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package var name: Name
  package var language: Language
  package var quality: Quality
  /// How long it speaks a word; a multiple of 100.
  package var millisecondsPerWord: Int64

  /// The names of the installed voices.
  package enum Name: String, Sendable, CaseIterable {
    case samantha = "Samantha"
    case ava = "Ava"
    case daniel = "Daniel"
    case anna = "Anna"
    case petra = "Petra"
    case thomas = "Thomas"
  }

  /// Languages that a user may have.
  package enum Language: String, Sendable, CaseIterable {
    case americanEnglish = "en-US"
    case britishEnglish = "en-GB"
    case australianEnglish = "en-AU"
    case german = "de-DE"
    case swissGerman = "de-CH"
    case french = "fr-FR"
    case finnish = "fi-FI"

    /// Whether the speech recogniser has a model of it on the phone, and so needs no network.
    package var isRecognizedOnDevice: Bool {
      switch self {
      case .americanEnglish, .britishEnglish, .german, .french: true
      case .australianEnglish, .swissGerman, .finnish: false
      }
    }

    fileprivate var primary: Substring { rawValue.prefix { $0 != "-" } }
  }

  /// The voice of a phone whose scenario says nothing of voices.
  package static let standard = all[0]

  package static let all = [
    Self(name: .samantha, language: .americanEnglish, quality: .standard, millisecondsPerWord: 400),
    Self(name: .ava, language: .americanEnglish, quality: .premium, millisecondsPerWord: 300),
    Self(name: .daniel, language: .britishEnglish, quality: .enhanced, millisecondsPerWord: 300),
    Self(name: .anna, language: .german, quality: .standard, millisecondsPerWord: 400),
    Self(name: .petra, language: .german, quality: .enhanced, millisecondsPerWord: 500),
    Self(name: .thomas, language: .french, quality: .enhanced, millisecondsPerWord: 300),
  ]

  package static func named(_ name: Name) -> Self { all.first { $0.name == name } ?? standard }

  /// The best installed voice for a language: of the language itself, else of its family, else of English; of these the
  /// one of the highest quality, the first one of equals.
  package static func best(for language: Language) -> Self {
    let own = all.filter { $0.language == language }
    let family = own.isEmpty ? all.filter { $0.language.primary == language.primary } : own
    let possible = family.isEmpty ? all.filter { $0.language.primary == "en" } : family
    return possible.reduce(possible[0]) { $1.quality.rank > $0.quality.rank ? $1 : $0 }
  }
}

/// The coach's voice: a scenario's `phone.voice`.
package struct VoiceSetup: Sendable, Equatable {
  package var language = InstalledVoice.Language.americanEnglish

  /// How a scenario's `phone.voice` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.voice",
    "The coach speaks with the best installed voice for the user's language, until the user chooses another one with "
      + "`chooseVoice`. Without this key it speaks 2.5 words a second.",
    Self(),
    [
      Field(
        "language", \.language, .word,
        "the user's language; voice notes in `en-AU`, `de-CH` and `fi-FI` are read by Apple's servers, the others on the phone"
      )
    ])
}

/// A user's choice of a voice: a `do` of `phone.events`.
package enum VoiceCommand: ScenarioCommand, Equatable {
  /// Nil for the best one for the language.
  case chooseVoice(InstalledVoice.Name?)

  private struct Draft: Sendable {
    var name: InstalledVoice.Name?
  }

  package static let forms: [CommandForm<Self>] = [
    CommandForm(
      "chooseVoice", "chooses the coach's voice, which is durable; with `phone.voice`", Draft(),
      [Field("name", \.name, .word, "one of the installed voices", .otherwise("the best one for the language"))]
    ) { draft, _ in chooseVoice(draft.name) }
  ]
}

/// The coach's voice on the phone.
extension PhoneNode {
  /// The voice of a start: the one that the user chose, else the best one for the language.
  static func voice(of setup: Setup, _ state: AppState) -> InstalledVoice {
    guard let voice = setup.voice else { return .standard }
    return state.voice.flatMap(InstalledVoice.Name.init).map(InstalledVoice.named) ?? .best(for: voice.language)
  }

  /// Says which voice is in use, at a start and after a choice.
  mutating func announceVoice(isChosen: Bool, in turn: inout Turn) {
    guard setup.voice != nil else { return }
    let voice = audio.voice
    turn.record(VoiceSelected.self, on: .phone) {
      ($0.voice, $0.language) = (voice.name.rawValue, voice.language.rawValue)
      ($0.quality, $0.by) = (voice.quality.rawValue, isChosen ? .user : .system)
    }
  }

  mutating func beginVoiceChoice(in turn: inout Turn) {
    announceVoice(isChosen: hasChosenVoice, in: &turn)
  }

  /// Carries out a choice of the user; from the next line on.
  mutating func carryOutVoice(_ command: NodeCommand, in turn: inout Turn) {
    guard case .chooseVoice(let name)? = VoiceCommand(command), let voice = setup.voice else {
      return refuse(command.name, why: "the app has one voice", in: &turn)
    }
    guard setup.race == nil else {
      return refuse(command.name, why: "the lines of the race are recorded", in: &turn)
    }
    guard !isDiskFull else {
      return refuse(command.name, why: SessionError.insufficientSpace.rawValue, in: &turn)
    }
    hasChosenVoice = name != nil
    audio.voice = name.map(InstalledVoice.named) ?? .best(for: voice.language)
    commit(.voiceChosen(name?.rawValue), in: &turn)
    announceVoice(isChosen: hasChosenVoice, in: &turn)
  }
}
