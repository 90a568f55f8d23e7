/** What a dragged query is known by: other things that are dragged over a folder are not taken. */
const kind = 'application/x-plinth-query'

export const startDrag = (transfer: DataTransfer, id: string) => transfer.setData(kind, id)
export const isQuery = ({ types }: DataTransfer) => types.includes(kind)
export const draggedId = (transfer: DataTransfer) => transfer.getData(kind) || undefined
