import { expect, test } from 'vitest'
import { originsOf } from './editable-view.ts'

test('only the columns of the view itself count, whatever they are called', () => {
  const entry = (place: number, name: string, table: number, column: number) =>
    `{TARGETENTRY :expr {VAR :varno 1} :resno ${place} :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`
  const inner = `{SUBLINK :subselect {QUERY :targetList (${entry(1, 'deep', 7, 7)})}}`
  const action = `({QUERY :jointree {FROMEXPR :quals ${inner}} :targetList (${entry(1, 'a\\ b\\{', 42, 3)} {TARGETENTRY :expr ${inner} :resno 2 :resname x :ressortgroupref 0 :resorigtbl 0 :resorigcol 0 :resjunk false} ${entry(3, '\\}', 42, 1)})})`
  expect([...originsOf(action)]).toEqual([
    [1, { table: 42, column: 3 }],
    [3, { table: 42, column: 1 }],
  ])
})
