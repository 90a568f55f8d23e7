import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { favorites as api } from '#contract/projects/favorites'
import { q, queryClient, useCall, forget } from '../../api/client.ts'
import { ofProjectLists } from '../../session/project/project-lists.ts'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { toast } from '../../ui/floats/toast.ts'
import './favorites.css'

export const favoritesQuery = q(api.list, {})

/** Marks a project, which then comes first in the lists of this person. */
export function FavoriteButton({
  project: { ref, name },
}: {
  project: { ref: string; name: string }
}) {
  const { data } = useQuery(favoritesQuery)
  const set = useCall(api.set, {
    // The star answers at once; the list is read again in its new order.
    onMutate: ({ favorite }) => {
      queryClient.setQueryData(favoritesQuery.queryKey, (before) => ({
        refs: [...(before?.refs ?? []).filter((one) => one !== ref), ...(favorite ? [ref] : [])],
      }))
    },
    onError: (error) => toast.error(`${name} was not changed`, { description: error.message }),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries(favoritesQuery), forget(...ofProjectLists)]),
  })
  const isFavorite = data?.refs.includes(ref) ?? false
  return (
    <IconButton
      icon={Star}
      iconSize="s"
      className="favorite"
      label={isFavorite ? `Remove ${name} from favorites` : `Add ${name} to favorites`}
      aria-pressed={isFavorite}
      busy={data === undefined}
      onClick={() => set.mutate({ ref, favorite: !isFavorite })}
    />
  )
}
