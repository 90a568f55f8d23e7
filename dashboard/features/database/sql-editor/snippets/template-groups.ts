import { quickstarts } from './template-quickstarts.ts'
import { reports } from './template-reports.ts'
import { basics, type Template } from './templates.ts'

export type TemplateGroup = { id: 'templates' | 'quickstarts'; templates: readonly Template[] }

/** Single statements and reports; and whole beginnings of an application. */
export const templateGroups: readonly TemplateGroup[] = [
  { id: 'templates', templates: [...basics, ...reports] },
  { id: 'quickstarts', templates: quickstarts },
]
