import { useLocation, useRouter } from '@tanstack/react-router'
import { featurePreviews } from '../../../session/telemetry/preview-list.ts'

/** The query parameter of the requirements (§2): the dialog is open while it is there, and it holds the key that is shown. */
const name = 'featurePreviewModal'

/** What a button opens the dialog with; the first one that is released stands in for it. */
export const firstPreview = featurePreviews[0]?.key ?? 'none'

/** The key in the address; undefined while the dialog is closed. */
export const usePreviewParam = (): string | undefined =>
  useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get(name) ?? undefined })

export function useShowPreview() {
  const { history } = useRouter()

  function address(key: string | undefined): string {
    const { pathname, search, hash } = history.location
    const query = new URLSearchParams(search)
    if (key === undefined) query.delete(name)
    else query.set(name, key)
    return pathname + (query.size ? `?${query}` : '') + hash
  }
  return {
    /** A step that the back button takes back. */
    open: (key: string) => history.push(address(key)),
    choose: (key: string) => history.replace(address(key)),
    close: () => history.replace(address(undefined)),
  }
}
