import { useLocation, useRouter } from '@tanstack/react-router'

const open = 'showConnect'
const tab = 'connectTab'

/** The tab that the address asks for ('' for the first one); undefined while the dialog is closed. */
export const useConnectParam = (): string | undefined =>
  useLocation({
    select: ({ searchStr }) => {
      const query = new URLSearchParams(searchStr)
      return query.get(open) === 'true' ? (query.get(tab) ?? '') : undefined
    },
  })

/** Opens, turns and closes the dialog; all of it stands in the address, on whatever page one is. */
export function useShowConnect() {
  const { history } = useRouter()

  function address(change: (query: URLSearchParams) => void): string {
    const { pathname, search, hash } = history.location
    const query = new URLSearchParams(search)
    change(query)
    return pathname + (query.size ? `?${query}` : '') + hash
  }
  return {
    /** A step that the back button takes back. */
    open: () => history.push(address((query) => query.set(open, 'true'))),
    turnTo: (id: string) => history.replace(address((query) => query.set(tab, id))),
    close: () =>
      history.replace(
        address((query) => {
          query.delete(open)
          query.delete(tab)
        }),
      ),
  }
}
