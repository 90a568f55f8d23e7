import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { q } from '../../../../api/client.ts'

export const folderListQuery = (ref: string) => q(snippetFolders.list, { ref })

export const byName = (a: SnippetFolder, b: SnippetFolder) =>
  a.name.localeCompare(b.name, 'en', { sensitivity: 'base' })
