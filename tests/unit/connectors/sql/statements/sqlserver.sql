-- list
SELECT TOP 26 customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_2)s AND ((customer.[Full name] COLLATE Latin1_General_100_BIN2) LIKE %(param_3)s ESCAPE '!' OR customer.met < %(param_4)s) AND (customer.id NOT IN (%(param_5)s, %(param_6)s)) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_7)s ELSE %(param_8)s END, customer.credit DESC, customer.id ASC
parameters: {"param_2": 10, "param_3": "50!%![a]_!!%", "param_4": "2026-01-01 00:00:00", "param_5": 1, "param_6": 2, "param_7": 1, "param_8": 0}

-- next page
SELECT TOP 26 customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_2)s AND ((customer.[Full name] COLLATE Latin1_General_100_BIN2) LIKE %(param_3)s ESCAPE '!' OR customer.met < %(param_4)s) AND (customer.id NOT IN (%(param_5)s, %(param_6)s)) AND (customer.credit < %(param_7)s OR customer.credit IS NULL OR customer.credit = %(param_8)s AND customer.id > %(param_9)s) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_10)s ELSE %(param_11)s END, customer.credit DESC, customer.id ASC
parameters: {"param_2": 10, "param_3": "50!%![a]_!!%", "param_4": "2026-01-01 00:00:00", "param_5": 1, "param_6": 2, "param_7": "12.30", "param_8": "12.30", "param_9": 7, "param_10": 1, "param_11": 0}

-- get
SELECT customer.[Full name], customer.id 
FROM customer 
WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- create
INSERT INTO customer ([Full name], credit, met) VALUES (%(Full_name)s, %(credit)s, %(met)s)
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00"}

-- update
UPDATE customer SET [Full name]=%(Full_name)s, credit=%(credit)s, met=%(met)s WHERE customer.id = %(param_1)s
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00", "param_1": 7}

-- update where
UPDATE customer SET credit=%(credit)s WHERE customer.credit >= %(param_1)s AND ((customer.[Full name] COLLATE Latin1_General_100_BIN2) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s))
parameters: {"credit": null, "param_1": 10, "param_2": "50!%![a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2}

-- delete
DELETE FROM customer WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- delete where
DELETE FROM customer WHERE customer.credit >= %(param_1)s AND ((customer.[Full name] COLLATE Latin1_General_100_BIN2) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s))
parameters: {"param_1": 10, "param_2": "50!%![a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2}

