import { textParams } from '../../../session/search-params.ts'

export type TrashFilter = { find?: string; bucket?: string }
export const trashParams = textParams('find', 'bucket')
