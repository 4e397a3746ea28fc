import Statistics
import Testing
import TrackerCore
import Wording

/// The whole text, in each language.
@Suite struct StatisticsTextTests {
  private let again: Comment = "repeat with: swift test --filter StatisticsTextTests"

  /// 1400 m up a hill, a gap of three hours with 5 km, 200 m more; a point left out.
  private var statistics: SessionStatistics {
    let hill = (0...1000).map { second -> (Double, Double, Double?) in
      let time = Double(second)
      return (time * 1.4, time, 100 + time / 10)
    }
    var points = Fixture.points(hill)
    points[300].position.latitude += 40_000
    points += Fixture.points([(6400, 11_800, 150), (6500, 11_870, 150), (6600, 11_940, 150)])
    return SessionStatistics(points, every: 2000)
  }

  private static let expected: [(language: Language, text: String)] = [
    (
      .english,
      """
      distance:   6.60 km
      time:       3:19:00, moving 0:18:51
      speed:      mean 2.0 km/h, moving 5.1, maximum 5.1
      pace:       30:09 a km, moving 11:52
      altitude:   101 to 196 m, gain 95 m, loss 46 m
      gaps:       1 of 3:00:09, 5.01 km in a straight line
      left out:   1 inaccurate or impossible

           km          UTC      partial  min/km  km/h max    altitude m       gain
            2 ~08:38 ±159'  ~0:38 ±159'  ~19:15       5.0     101 - 196 +95 -0 gap
            4  ~09:50 ±94'  ~1:11 ±253'  ~35:56               172 - 190 +0 -24 gap
            6 ~11:02 ±166'  ~1:11 ±260'  ~35:56               154 - 172 +0 -18 gap
         6.60     11:19:00  ~0:16 ±166'  ~27:50       5.1     150 - 154  +0 -4 gap

      """
    ),
    (
      .catalan,
      """
      distància:  6,60 km
      temps:      3:19:00, en moviment 0:18:51
      velocitat:  mitjana 2,0 km/h, en moviment 5,1, màxima 5,1
      ritme:      30:09 per km, en moviment 11:52
      altitud:    de 101 a 196 m, desnivell +95 m, -46 m
      buits:      1 de 3:00:09, 5,01 km en línia recta
      exclosos:   1 imprecís o impossible

           km          UTC      parcial  min/km  km/h màx     altitud m  desnivell
            2 ~08:38 ±159'  ~0:38 ±159'  ~19:15       5,0     101 - 196 +95 -0 buit
            4  ~09:50 ±94'  ~1:11 ±253'  ~35:56               172 - 190 +0 -24 buit
            6 ~11:02 ±166'  ~1:11 ±260'  ~35:56               154 - 172 +0 -18 buit
         6,60     11:19:00  ~0:16 ±166'  ~27:50       5,1     150 - 154 +0 -4 buit

      """
    ),
    (
      .spanish,
      """
      distancia:  6,60 km
      tiempo:     3:19:00, en movimiento 0:18:51
      velocidad:  media 2,0 km/h, en movimiento 5,1, máxima 5,1
      ritmo:      30:09 por km, en movimiento 11:52
      altitud:    de 101 a 196 m, desnivel +95 m, -46 m
      huecos:     1 de 3:00:09, 5,01 km en línea recta
      excluidos:  1 impreciso o imposible

           km          UTC      parcial  min/km  km/h máx     altitud m   desnivel
            2 ~08:38 ±159'  ~0:38 ±159'  ~19:15       5,0     101 - 196 +95 -0 hueco
            4  ~09:50 ±94'  ~1:11 ±253'  ~35:56               172 - 190 +0 -24 hueco
            6 ~11:02 ±166'  ~1:11 ±260'  ~35:56               154 - 172 +0 -18 hueco
         6,60     11:19:00  ~0:16 ±166'  ~27:50       5,1     150 - 154 +0 -4 hueco

      """
    ),
    (
      .french,
      """
      distance :  6,60 km
      temps :     3:19:00, en mouvement 0:18:51
      vitesse :   moyenne 2,0 km/h, en mouvement 5,1, maximale 5,1
      allure :    30:09 par km, en mouvement 11:52
      altitude :  de 101 à 196 m, dénivelé +95 m, -46 m
      trous :     1 de 3:00:09, 5,01 km en ligne droite
      écartés :   1 imprécis ou impossible

           km          UTC      partiel  min/km  km/h max    altitude m   dénivelé
            2 ~08:38 ±159'  ~0:38 ±159'  ~19:15       5,0     101 - 196 +95 -0 trou
            4  ~09:50 ±94'  ~1:11 ±253'  ~35:56               172 - 190 +0 -24 trou
            6 ~11:02 ±166'  ~1:11 ±260'  ~35:56               154 - 172 +0 -18 trou
         6,60     11:19:00  ~0:16 ±166'  ~27:50       5,1     150 - 154 +0 -4 trou

      """
    ),
  ]

  @Test(arguments: expected)
  func `It reads as expected`(_ language: Language, _ expected: String) {
    let text = StatisticsText(statistics, in: language).text
    #expect(text == expected, "\(text)\n\(again)")
  }
}
