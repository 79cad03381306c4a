import Hikyaku
import Testing

@testable import HikyakuBroadcast

@Suite struct HubContentTests {
    private static let meals = (1...3).map { Meal(id: $0) }

    private func models(in content: some HubContent) -> HubBatch {
        let batch = HubBatch()
        content.addModels(to: batch)
        return batch
    }

    @Test func aModelIsItsOwnContent() {
        #expect(models(in: Meal(id: 1)).models(of: Meal.self) == [Meal(id: 1)])
        #expect(models(in: Meal(id: 1)).models(of: Cook.self).isEmpty)
    }

    @Test func containersHaveTheModelsOfTheirElements() {
        let meals = Self.meals
        #expect(models(in: meals).models(of: Meal.self) == meals)
        #expect(models(in: meals[1...]).models(of: Meal.self) == Array(meals[1...]))
        #expect(models(in: ContiguousArray(meals)).models(of: Meal.self) == meals)
        #expect(models(in: LossyArray(meals)).models(of: Meal.self) == meals)
        #expect(models(in: [[meals[0]], [], [meals[1]]]).models(of: Meal.self) == [meals[0], meals[1]])
        #expect(models(in: Optional(meals[0])).models(of: Meal.self) == [meals[0]])
        let nothing: Meal? = nil
        #expect(models(in: nothing).isEmpty)
        #expect(models(in: [Meal]()).isEmpty)
        #expect(models(in: ["a": meals[0]]).models(of: Meal.self) == [meals[0]])
        #expect(models(in: ["a": meals]).models(of: Meal.self) == meals)
    }

    @Test func aPageHasTheModelsOfItsItemsAndOfItsInfo() {
        let plain = models(in: ResponsePage(items: Self.meals, info: Count(total: 3)))
        #expect(plain.models(of: Meal.self) == Self.meals)
        let withCook = models(in: ResponsePage(items: Self.meals, info: Cook(id: "a")))
        #expect(withCook.models(of: Meal.self) == Self.meals)
        #expect(withCook.models(of: Cook.self) == [Cook(id: "a")])
    }

    @Test func modelsInsideOfModelsAreFound() {
        let course = Course(id: 9, meals: Self.meals)
        let batch = models(in: [course, Course(id: 10, meals: [Meal(id: 4)])])
        #expect(batch.models(of: Course.self).map(\.id) == [9, 10])
        #expect(batch.models(of: Meal.self).map(\.id) == [1, 2, 3, 4])
        #expect(models(in: Kitchen(cook: Cook(id: "a"), meals: Self.meals)).models(of: Meal.self) == Self.meals)
    }
}
