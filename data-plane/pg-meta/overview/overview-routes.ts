import { projectOverview } from '#contract/projects/project-overview'
import { listApiFunctions } from './api-functions.ts'
import { readOverview } from './overview.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'

export const overviewRoutes = (read: UseSession): MetaRoute[] => [
  answer(read, projectOverview.overview, (db) => readOverview(db)),
  answer(read, projectOverview.apiFunctions, listApiFunctions),
]
