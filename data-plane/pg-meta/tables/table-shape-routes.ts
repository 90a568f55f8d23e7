import { tableShapes } from '#contract/database/table-shapes'
import { diagramOf } from './diagram.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { shapeOf, startOf, tableList } from './table-shapes.ts'

export const tableShapeRoutes = (read: UseSession): MetaRoute[] => [
  answer(read, tableShapes.shape, shapeOf),
  answer(read, tableShapes.start, startOf),
  answer(read, tableShapes.list, tableList),
  answer(read, tableShapes.diagram, diagramOf),
]
