import { readObjectSearch, type ObjectSearch } from '../../../modules/objects/schemas.ts'

export type TriggerSearch = ObjectSearch & { tab?: 'events' }

export const readTriggerSearch = (search: Record<string, unknown>): TriggerSearch => ({
  ...readObjectSearch(search),
  ...(search['tab'] === 'events' ? { tab: 'events' } : {}),
})
