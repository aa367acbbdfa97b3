import CoachProtocol
import Link
import Testing

@testable import EdgeSim

/// The profile as a function of the chat.
@Suite struct UserProfileTests {
  private static func profile(_ texts: [String]) -> UserProfile {
    var profile = UserProfile()
    for (index, text) in texts.enumerated() { _ = profile.extract(ChatMessage(number: index + 1, text: text)) }
    return profile
  }

  private static func text(_ profile: UserProfile) -> String { String(decoding: profile.bytes, as: UTF8.self) }

  @Test func `facts are extracted, whatever the case and the punctuation`() {
    let profile = Self.profile([
      "Hello! MY NAME IS Mia, nice to meet you. I'm 34 years old.", "What is the plan?",
      "My goal is to run 10.5 km in 50 minutes... My left knee hurts", "I prefer short answers; I prefer hills!",
    ])
    #expect(
      Self.text(profile) == """
        {"message":4,"name":"Mia","age":34,"goal":"run 10.5 km in 50 minutes","injuries":["left knee"],\
        "preferences":["short answers","hills"]}
        """)
  }

  @Test func `a later message replaces or removes what an earlier one said`() {
    let said = ["My name is Mia.", "My knee hurts. My back hurts.", "I prefer hills."]
    let later = ["Call me Mimi.", "My knee is fine again. My back no longer hurts.", "I no longer prefer hills."]
    #expect(Self.text(Self.profile(said + later)) == "{\"message\":6,\"name\":\"Mimi\"}")
    // The order counts.
    #expect(Self.profile(later + said).injuries == ["knee", "back"])
  }

  @Test(arguments: [
    "My name is", "My name is!", "I am old.", "I am 200 years old.", "I am -5 years old.", "My goal", "hurts my knee",
    "My hurts", "The plan: my name is unknown to you", "...", "\"\\", "I prefer .",
  ])
  func `a message without a fact changes nothing`(text: String) {
    #expect(Self.profile([text]) == UserProfile())
  }

  @Test func `a message that repeats a fact is not the last that changed the profile`() {
    #expect(Self.profile(["My name is Mia.", "My name is Mia.", "Thanks."]).message == 1)
  }

  @Test func `the longest profile has at most 3 KB, and its file is read as written`() throws {
    let long = String(repeating: "ü", count: 140)
    var texts = ["My name is \(long)", "My goal is to \(long)", "I am 34 years old"]
    for letter in "abcdefghijklmno" {
      texts.append("My \(letter)\(long) hurts")
      texts.append("I prefer \(letter)\(long)")
    }
    #expect(texts.allSatisfy { ChatMessage.isText($0) })
    let profile = Self.profile(texts)
    #expect(profile.injuries.count == UserProfile.listMax && profile.injuries.first?.first == "f")
    #expect((1_500...3_072).contains(profile.bytes.count), "\(profile.bytes.count)")
    #expect(try UserProfile(profile.bytes) == profile)
  }

  @Test func `every beginning of the file is found damaged`() throws {
    let bytes = Self.profile(["My name is Mia. My knee hurts."]).bytes
    for count in bytes.indices { #expect(throws: FileDamage.self) { try UserProfile(Array(bytes[..<count])) } }
  }

  @Test(arguments: [
    "{}", "[]", "{\"message\":0}", "{\"message\":1,\"age\":4}", "{\"message\":1,\"name\":\"\"}",
    "{\"message\":1,\"injuries\":[1]}", "{\"message\":1,\"meals\":[]}", "{\"message\":1,\"goal\":{}}",
    "{\"message\":1,\"preferences\":[\"\(String(repeating: "x", count: 81))\"]}",
  ])
  func `a file with other content is damaged`(text: String) {
    #expect(throws: FileDamage.self) { try UserProfile(Array(text.utf8)) }
  }
}
