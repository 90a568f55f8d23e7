/** Tells the data plane for whom it acts. A header takes no letter of every alphabet. */
export const actingAs = (email: string) => ({ 'x-acting-as': encodeURIComponent(email) })
