/** Stands in for the package of card payments, which the kit loads where a user pays by card. */
export const MoonPayBuyWidget = () => null
