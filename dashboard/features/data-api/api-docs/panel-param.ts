import { useLocation, useRouter } from '@tanstack/react-router'
import { type Resource, resourceOf, resourceText } from './resource.ts'

const name = 'showApiDocs'

/** The preview that puts the documentation beside the page one is on (requirements §3). */
export const panelPreview = 'supabase-ui-api-side-panel'

/** What the panel is open at; undefined while it is closed. */
export function usePanelParam(): Resource | undefined {
  const text = useLocation({
    select: ({ searchStr }) => new URLSearchParams(searchStr).get(name) ?? undefined,
  })
  return text === undefined ? undefined : resourceOf(text)
}

export function useApiDocsPanel() {
  const { history } = useRouter()

  function address(resource: Resource | undefined): string {
    const { pathname, search, hash } = history.location
    const query = new URLSearchParams(search)
    if (resource === undefined) query.delete(name)
    else query.set(name, resourceText(resource))
    return pathname + (query.size ? `?${query}` : '') + hash
  }
  return {
    /** At the table that is open in the editor; a step that the back button takes back. */
    open: () => {
      const id = /\/editor\/(\d+)/.exec(history.location.pathname)?.[1]
      history.push(address(resourceOf(id ? `table-${id}` : undefined)))
    },
    turnTo: (resource: Resource) => history.replace(address(resource)),
    close: () => history.replace(address(undefined)),
  }
}
