import { toast } from '../../../../ui/floats/toast.ts'
import { renamedText } from './dropped-files.ts'
import type { NewUpload } from './uploads.ts'

/** Nobody should have to find out by themselves that a file has another name than before. */
export function tellRenamed(folder: string, files: readonly NewUpload[]): void {
  const text = renamedText(folder, files)
  if (text) toast.warning(text.title, { description: text.description })
}
