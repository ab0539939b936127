"""Well-known cities with their state or country, for parameters that ask for both, and what people call them short."""

_BY_STATE = {
    "CA": """Los Angeles,San Francisco,San Diego,San Jose,Sacramento,Oakland,Berkeley,Fresno,Long Beach,Anaheim,
        Palo Alto,Santa Rosa,Livermore,Napa,Fremont,Concord,Santa Clara,Walnut Creek,Pleasanton,Hayward,
        Mountain View,Cupertino,Sunnyvale,San Rafael,Pasadena,Santa Monica,Petaluma,Vacaville,Gilroy,San Mateo,
        Irvine,Santa Barbara,Danville,Novato,Larkspur,San Ramon,Redwood City,Menlo Park,Stockton,Bakersfield,
        Riverside,Modesto,Oxnard,Santa Cruz,Monterey,Emeryville,Alameda,Richmond,Vallejo,Fairfield,Milpitas,
        Campbell,Los Gatos,Saratoga,Daly City,Burlingame,South San Francisco,Half Moon Bay,Healdsburg,Sonoma,
        Sausalito,Mill Valley,Corte Madera,Lafayette,Orinda,Antioch,Union City,Newark,Castro Valley,San Leandro,
        Los Altos,Morgan Hill,Dublin,Brentwood,Benicia,Martinez,Pittsburg,Rohnert Park,Windsor,Cotati,Sebastopol""",
    "NY": "New York,New York City,Buffalo,Albany,Brooklyn,Syracuse,Yonkers,Queens,Manhattan",
    "TX": "Houston,Dallas,Austin,San Antonio,Fort Worth,El Paso,Plano,Lubbock,Corpus Christi",
    "IL": "Chicago,Springfield,Naperville,Evanston",
    "WA": "Seattle,Spokane,Tacoma,Redmond,Bellevue,Olympia,Everett",
    "MA": "Boston,Cambridge,Worcester,Somerville,Lowell",
    "FL": "Miami,Orlando,Tampa,Jacksonville,Fort Lauderdale,Tallahassee,St. Petersburg,Naples,Key West",
    "GA": "Atlanta,Savannah,Augusta,Athens",
    "CO": "Denver,Boulder,Colorado Springs,Aurora,Aspen,Fort Collins",
    "AZ": "Phoenix,Tucson,Scottsdale,Mesa,Tempe,Flagstaff",
    "NV": "Las Vegas,Reno,Henderson,Carson City",
    "OR": "Portland,Eugene,Salem,Bend",
    "PA": "Philadelphia,Pittsburgh,Harrisburg,Allentown",
    "MI": "Detroit,Ann Arbor,Grand Rapids,Lansing",
    "MN": "Minneapolis,Saint Paul,St. Paul,Duluth",
    "LA": "New Orleans,Baton Rouge",
    "TN": "Nashville,Memphis,Knoxville,Chattanooga",
    "NC": "Charlotte,Raleigh,Durham,Greensboro,Asheville",
    "SC": "Charleston,Columbia,Myrtle Beach",
    "OH": "Columbus,Cleveland,Cincinnati,Toledo,Dayton",
    "MO": "Kansas City,St. Louis,Saint Louis",
    "UT": "Salt Lake City,Provo,Park City",
    "DC": "Washington,Washington DC",
    "MD": "Baltimore,Annapolis,Bethesda",
    "WI": "Milwaukee,Madison,Green Bay",
    "IN": "Indianapolis,Fort Wayne",
    "HI": "Honolulu",
    "AK": "Anchorage,Juneau",
    "OK": "Oklahoma City,Tulsa",
    "NM": "Albuquerque,Santa Fe",
    "KY": "Louisville,Lexington",
    "VA": "Virginia Beach,Norfolk,Arlington,Alexandria",
    "NE": "Omaha,Lincoln",
    "NJ": "Jersey City,Princeton,Trenton,Atlantic City",
    "CT": "Hartford,New Haven,Stamford",
    "ID": "Boise",
    "IA": "Des Moines",
    "KS": "Wichita,Topeka",
    "AL": "Montgomery,Mobile,Huntsville",
    "AR": "Little Rock",
    "RI": "Providence,Newport",
    "ME": "Bangor",
    "VT": "Burlington",
    "MT": "Billings,Missoula,Bozeman",
    "WY": "Cheyenne",
    "ND": "Fargo,Bismarck",
    "SD": "Sioux Falls,Rapid City",
}
_BY_COUNTRY = {
    "UK": "London,Manchester,Edinburgh,Glasgow,Liverpool,Oxford,Leeds,Bristol,Cardiff,Belfast",
    "France": "Paris,Lyon,Marseille,Nice,Toulouse,Bordeaux",
    "Germany": "Berlin,Munich,Hamburg,Frankfurt,Cologne,Stuttgart,Dresden,Leipzig,Düsseldorf",
    "Italy": "Rome,Milan,Venice,Florence,Turin,Bologna",
    "Spain": "Madrid,Barcelona,Seville,Valencia,Malaga,Bilbao",
    "Japan": "Tokyo,Osaka,Kyoto,Nagoya,Sapporo,Fukuoka,Yokohama",
    "China": "Beijing,Shanghai,Guangzhou,Shenzhen,Hangzhou,Chengdu,Wuhan,Nanjing",
    "India": "Delhi,New Delhi,Mumbai,Bangalore,Chennai,Kolkata,Hyderabad,Pune,Gurgaon,Jaipur",
    "Australia": "Sydney,Melbourne,Brisbane,Perth,Adelaide,Canberra",
    "Canada": "Toronto,Montreal,Ottawa,Calgary,Vancouver,Quebec",
    "South Korea": "Seoul,Busan,Incheon",
    "Netherlands": "Amsterdam,Rotterdam,Utrecht",
    "Brazil": "Rio de Janeiro,Sao Paulo,Brasilia",
    "Mexico": "Mexico City,Cancun,Guadalajara",
    "Turkey": "Istanbul,Ankara",
    "Russia": "Moscow,Saint Petersburg",
    "Egypt": "Cairo,Alexandria",
    "South Africa": "Cape Town,Johannesburg",
    "Thailand": "Bangkok,Phuket",
    "Vietnam": "Hanoi,Ha Noi,Ho Chi Minh City,Da Nang",
    "Malaysia": "Kuala Lumpur",
    "Indonesia": "Jakarta,Denpasar",
    "Austria": "Vienna,Salzburg",
    "Switzerland": "Zurich,Geneva,Basel,Bern",
    "Sweden": "Stockholm,Gothenburg",
    "Norway": "Oslo,Bergen",
    "Denmark": "Copenhagen",
    "Finland": "Helsinki",
    "Ireland": "Dublin,Cork",
    "Portugal": "Lisbon,Porto",
    "Greece": "Athens",
    "Poland": "Warsaw,Krakow",
    "Israel": "Tel Aviv,Jerusalem",
    "UAE": "Dubai,Abu Dhabi",
    "Argentina": "Buenos Aires",
    "Kenya": "Nairobi",
    "Philippines": "Manila",
    "Belgium": "Brussels,Antwerp",
    "Hungary": "Budapest",
    "Czech Republic": "Prague",
    "New Zealand": "Auckland,Wellington",
    "Taiwan": "Taipei",
    "Pakistan": "Karachi,Lahore",
    "Nigeria": "Lagos",
    "Chile": "Santiago",
    "Peru": "Lima",
    "Colombia": "Bogota",
    "Singapore": "Singapore",
}
_SHORT = {
    "sf": "San Francisco",
    "la": "Los Angeles",
    "nyc": "New York",
    "sd": "San Diego",
    "ny": "New York",
    "vegas": "Las Vegas",
    "sfo": "San Francisco",
    "philly": "Philadelphia",
}


def _regions() -> dict[str, str]:
    """Regions by cities in lower case; of two cities with one name, the one in the first table, countries first."""
    regions: dict[str, str] = {}
    for table in (_BY_COUNTRY, _BY_STATE):
        for region, cities in table.items():
            for city in cities.split(","):
                regions.setdefault(city.strip().lower(), region)
    return regions


_REGIONS = _regions()


def whole_name(city: str) -> str:
    """ "SF" → "San Francisco"; any other name as it is."""
    return _SHORT.get(city.lower(), city)


def is_known_place(name: str) -> bool:
    """Whether a name is that of a city in the tables, or ends with a state."""
    return name.lower() in _REGIONS or name.split(", ")[-1] in _BY_STATE


def with_region(city: str) -> str | None:
    """ "chicago" → "Chicago, IL"; None where the city is not in the tables."""
    name = whole_name(city)
    region = _REGIONS.get(name.lower())
    if region is None:
        return None
    return f"{name if name[0].isupper() else name.title()}, {region}"
