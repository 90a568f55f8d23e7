import { functions } from '#contract/functions/functions'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'
import { saveFile } from '../../../ui/save-file.ts'

/** Fetches the files of a version with the session's token, which a plain link could not carry, and saves them as a zip. */
export async function download(ref: string, slug: string, version: number): Promise<void> {
  const { path } = addressOf(functions.download, { ref, function_slug: slug, version })
  const response = await send({ method: 'GET', path })
  saveFile(`${slug}-${version}.zip`, await response.blob(), 'application/zip')
}
