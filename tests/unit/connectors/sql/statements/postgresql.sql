-- list
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_1)s AND (customer."Full name" LIKE %(Full_name_1)s::VARCHAR ESCAPE '!' OR customer.met < %(param_2)s) AND (customer.id NOT IN (%(param_3)s, %(param_4)s)) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_5)s::INTEGER ELSE %(param_6)s::INTEGER END, customer.credit DESC, customer.id ASC 
 LIMIT %(param_7)s::INTEGER
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01T00:00:00", "param_3": 1, "param_4": 2, "param_5": 1, "param_6": 0, "param_7": 26}

-- next page
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_1)s AND (customer."Full name" LIKE %(Full_name_1)s::VARCHAR ESCAPE '!' OR customer.met < %(param_2)s) AND (customer.id NOT IN (%(param_3)s, %(param_4)s)) AND (customer.credit < %(param_5)s OR customer.credit IS NULL OR customer.credit = %(param_6)s AND customer.id > %(param_7)s) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_8)s::INTEGER ELSE %(param_9)s::INTEGER END, customer.credit DESC, customer.id ASC 
 LIMIT %(param_10)s::INTEGER
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01T00:00:00", "param_3": 1, "param_4": 2, "param_5": "12.30", "param_6": "12.30", "param_7": 7, "param_8": 1, "param_9": 0, "param_10": 26}

-- get
SELECT customer."Full name", customer.id 
FROM customer 
WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- create
INSERT INTO customer ("Full name", credit, met) VALUES (%(Full_name)s, %(credit)s, %(met)s)
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01T00:00:00"}

-- update
UPDATE customer SET "Full name"=%(Full_name)s, credit=%(credit)s, met=%(met)s WHERE customer.id = %(param_1)s
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01T00:00:00", "param_1": 7}

-- update where
UPDATE customer SET credit=%(credit)s WHERE customer.credit >= %(param_1)s AND (customer."Full name" LIKE %(Full_name_1)s::VARCHAR ESCAPE '!' OR customer.met < %(param_2)s) AND (customer.id NOT IN (%(param_3)s, %(param_4)s))
parameters: {"credit": null, "param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01T00:00:00", "param_3": 1, "param_4": 2}

-- delete
DELETE FROM customer WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- delete where
DELETE FROM customer WHERE customer.credit >= %(param_1)s AND (customer."Full name" LIKE %(Full_name_1)s::VARCHAR ESCAPE '!' OR customer.met < %(param_2)s) AND (customer.id NOT IN (%(param_3)s, %(param_4)s))
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01T00:00:00", "param_3": 1, "param_4": 2}

